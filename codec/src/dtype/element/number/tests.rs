use super::*;

fn items(bytes: &[u8], itemsize: usize) -> Items<'_> {
    Items::new(bytes, itemsize, bytes.len() / itemsize).unwrap()
}

fn big(number: Number) -> DType {
    DType::Number(number, ByteOrder::Big)
}

#[test]
fn big_endian_items_are_swapped_part_by_part() {
    let reader = u16::reader(&big(Number::UInt16), Cast::Exact).unwrap();
    let bytes = [0x01, 0x02, 0x03, 0x04];
    assert_eq!(
        u16::read_all(&reader, items(&bytes, 2)),
        Ok(vec![0x0102, 0x0304])
    );
    assert_eq!(u16::view(&reader, items(&bytes, 2)), Ok(None));
    let reader = <Complex<f32>>::reader(&big(Number::Complex64), Cast::Exact).unwrap();
    let bytes = [0x3f, 0x80, 0, 0, 0xc0, 0, 0, 0];
    let one = Complex::new(1.0_f32, -2.0);
    assert_eq!(Complex::read(&reader, &bytes), Ok(one));
}

#[test]
fn views_need_alignment() {
    let words = [1_u64, 2];
    let reader = u32::reader(&u32::dtype(), Cast::Exact).unwrap();
    let bytes: &[u8] = bytemuck::cast_slice(&words);
    assert_eq!(
        u32::view(&reader, items(bytes, 4)),
        Ok(Some(&[1, 0, 2, 0][..]))
    );
    assert_eq!(u32::view(&reader, items(&bytes[1..13], 4)), Ok(None));
}

#[test]
fn another_kind_needs_a_cast() {
    let found = little(Number::Float64);
    let error = f32::reader(&found, Cast::Exact).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("`<f4`, found `<f8`; `cast = \"lossy\"` allows it")
    );
    let error = f64::reader(&little(Number::Int32), Cast::Exact).unwrap_err();
    assert!(error.to_string().ends_with("; `cast` allows it"));
    assert!(f64::reader(&little(Number::Complex64), Cast::Lossy).is_err());

    let bytes: Vec<u8> = [0.5_f64, 0.1]
        .iter()
        .flat_map(|v| v.to_le_bytes())
        .collect();
    let reader = f32::reader(&found, Cast::Safe).unwrap();
    let error = f32::read_all(&reader, items(&bytes, 8)).unwrap_err();
    assert_eq!(error.index(), 1);
    assert_eq!(f32::check(&reader, items(&bytes, 8)), Err(error));
    let reader = f32::reader(&found, Cast::Lossy).unwrap();
    assert_eq!(f32::read_all(&reader, items(&bytes, 8)), Ok(vec![0.5, 0.1]));
}

#[test]
fn bfloat16_is_read_from_its_name_and_from_voids() {
    for dtype in [bf16::dtype(), DType::Void(2, ByteOrder::Little)] {
        let reader = bf16::reader(&dtype, Cast::Exact).unwrap();
        assert_eq!(bf16::read(&reader, &[0xc0, 0x3f]), Ok(bf16::from_f32(1.5)));
    }
    let reader = f32::reader(&bf16::dtype(), Cast::Safe).unwrap();
    assert_eq!(f32::read(&reader, &[0xc0, 0x3f]), Ok(1.5));
    assert!(f32::reader(&DType::Void(2, ByteOrder::Little), Cast::Lossy).is_err());
}

#[test]
fn wrong_lengths_are_errors() {
    let reader = f32::reader(&f32::dtype(), Cast::Exact).unwrap();
    assert!(f32::read(&reader, &[0; 3]).is_err());
    assert!(f32::read_all(&reader, items(&[0; 6], 2)).is_err());
    assert!(f32::read_all(&reader, Items::new(&[], 0, usize::MAX).unwrap()).is_err());
    assert!(f32::read_into(&reader, items(&[0; 8], 4), &mut [0.0]).is_err());
}

#[test]
fn what_is_written_is_little_endian() {
    let mut out = vec![9];
    i32::write_all([1, -2].iter(), &mut out);
    assert_eq!(out, [9, 1, 0, 0, 0, 0xfe, 0xff, 0xff, 0xff]);
    assert_eq!(i32::as_bytes(&[1, -2]), Some(&out[1..]));
}
