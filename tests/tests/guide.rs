//! The rows of the guide's tables: what each type is in a file, and what a field accepts.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::num::NonZeroU8;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use npcodec::checkpoint::RestoreOwned;
use npcodec::half::{bf16, f16};
use npcodec::ndarray::{Array1, ArrayView1, CowArray, array};
use npcodec::num_bigint::{BigInt, BigUint};
use npcodec::num_complex::Complex;
use npcodec::{Checkpoint, Value, decode};

/// What a value is written as, and that it is read back as what it was.
#[track_caller]
fn is<T: Checkpoint + RestoreOwned + PartialEq + std::fmt::Debug>(value: T, bytes: &[u8]) {
    let written = rmp_serde::to_vec(&value.to_value().unwrap()).unwrap();
    assert_eq!(
        written.escape_ascii().to_string(),
        bytes.escape_ascii().to_string()
    );
    assert_eq!(T::from_value(decode(bytes).unwrap()).unwrap(), value);
}

/// The dtype text and shape of a value that is an array.
#[track_caller]
fn array_of(value: &Value<'_>) -> (String, Vec<usize>) {
    let array = value.as_array().expect("an array");
    (array.dtype_text().to_owned(), array.shape().to_vec())
}

#[test]
fn scalars() {
    is(true, b"\xc3");
    is(7_u8, b"\x07");
    is(-1_isize, b"\xff");
    is(NonZeroU8::MIN, b"\x01");
    is(u64::MAX, b"\xcf\xff\xff\xff\xff\xff\xff\xff\xff");
    is(1_u128 << 64, b"\x81\xa7integer\xb418446744073709551616");
    is(
        i128::from(i64::MIN) - 1,
        b"\x81\xa7integer\xb4-9223372036854775809",
    );
    is(BigInt::from(-1), b"\xff");
    is(BigUint::from(1_u8), b"\x01");
    is(1.0_f32, b"\xca\x3f\x80\0\0");
    is(1.0_f64, b"\xcb\x3f\xf0\0\0\0\0\0\0");
    is('x', b"\xa1x");
    is(String::from("x"), b"\xa1x");
    is((), b"\xc0");
    for (value, dtype) in [
        (f16::ONE.to_value(), "'<f2'"),
        (bf16::ONE.to_value(), "'bfloat16'"),
        (Complex::new(1.0_f32, 0.0).to_value(), "'<c8'"),
        (Complex::new(1.0_f64, 0.0).to_value(), "'<c16'"),
    ] {
        assert_eq!(array_of(&value.unwrap()), (dtype.to_owned(), vec![]));
    }
}

#[test]
fn containers() {
    is(vec![7_u8], b"\xc4\x01\x07");
    is([7_u8], b"\xc4\x01\x07");
    is(vec![7_u8].into_boxed_slice(), b"\xc4\x01\x07");
    is(vec![7_u16], b"\x91\x07");
    is(VecDeque::from([7_u16]), b"\x91\x07");
    is([7_u16, 8], b"\x92\x07\x08");
    is((7_u8, String::from("x")), b"\x92\x07\xa1x");
    is(BTreeMap::from([(-1_i8, true)]), b"\x81\xff\xc3");
    let map = HashMap::from([("b", 1), ("a", 2)].map(|(key, value)| (key.to_owned(), value)));
    is(map, b"\x82\xa1a\x02\xa1b\x01");
    is(HashSet::from([3_u8, 1, 2]), b"\x93\x01\x02\x03");
    is(BTreeSet::from([3_u8, 1]), b"\x92\x01\x03");
    is(Some(1_u8), b"\x01");
    is(None::<u8>, b"\xc0");
    is(Duration::new(1, 2), b"\x82\xa4secs\x01\xa5nanos\x02");
    is(Box::new(1_u8), b"\x01");
    is(Rc::new(1_u8), b"\x01");
    is(Arc::new(1_u8), b"\x01");
    assert_eq!(Cow::<str>::Borrowed("x").to_value().unwrap(), "x".into());
}

#[test]
fn arrays() {
    let items = array![1.0_f32, 2.0];
    let float = ("'<f4'".to_owned(), vec![2]);
    assert_eq!(array_of(&items.to_value().unwrap()), float);
    assert_eq!(array_of(&items.to_shared().to_value().unwrap()), float);
    assert_eq!(array_of(&items.view().to_value().unwrap()), float);
    let cow: CowArray<'_, f32, _> = ArrayView1::from(&[1.0, 2.0]).into();
    assert_eq!(array_of(&cow.to_value().unwrap()), float);
    let texts = array![String::from("abc"), String::from("defgh")];
    let value = texts.to_value().unwrap();
    assert_eq!(array_of(&value), ("'<U5'".to_owned(), vec![2]));
    for (value, dtype) in [
        (array![true].to_value(), "'|b1'"),
        (array![1_i8].to_value(), "'|i1'"),
        (array![1_u16].to_value(), "'<u2'"),
        (array![1_i64].to_value(), "'<i8'"),
        (array![f16::ONE].to_value(), "'<f2'"),
        (array![Complex::new(1.0_f64, 0.0)].to_value(), "'<c16'"),
    ] {
        assert_eq!(array_of(&value.unwrap()), (dtype.to_owned(), vec![1]));
    }
}

#[test]
fn every_form_of_a_number_that_keeps_its_value_is_accepted() {
    fn read<T: Checkpoint + RestoreOwned>(bytes: &[u8]) -> Option<T> {
        T::from_value(decode(bytes).unwrap()).ok()
    }

    assert_eq!(read::<u8>(b"\xcd\x01\x2c"), None);
    assert_eq!(read::<f32>(b"\x07"), Some(7.0));
    assert_eq!(read::<f32>(b"\xcb\x3f\xb9\x99\x99\x99\x99\x99\x9a"), None);
    assert_eq!(read::<f64>(b"\xcf\0\x20\0\0\0\0\0\x01"), None);
    let scalar = b"\x83\xa5shape\x90\xa4data\xc4\x04\0\0\xe0\x40\xa5dtype\xa5'<f4'";
    assert_eq!(read::<u8>(scalar), Some(7));
    assert_eq!(read::<u128>(scalar), Some(7));
    assert_eq!(read::<f64>(scalar), Some(7.0));
    let small = b"\x81\xa7integer\xa3-07";
    assert_eq!(read::<i8>(small), Some(-7));
    assert_eq!(read::<u64>(small), None);
    assert_eq!(read::<f32>(small), Some(-7.0));
    assert_eq!(read::<i128>(small), Some(-7));
    let large = b"\x81\xa7integer\xb418446744073709551616";
    assert_eq!(read::<u64>(large), None);
    assert_eq!(read::<f64>(large), Some(18_446_744_073_709_551_616.0));
    let odd = b"\x81\xa7integer\xb418446744073709551617";
    assert_eq!(read::<f64>(odd), None);
}

#[test]
fn decimal_texts_round_only_where_that_is_asked_for() {
    #[derive(Checkpoint)]
    struct Lossy {
        #[checkpoint(cast = "lossy")]
        float: f32,
        #[checkpoint(cast = "lossy", default)]
        small: u8,
    }

    let read = |bytes: &[u8]| rmp_serde::from_slice::<Lossy>(bytes);
    let rounded = read(b"\x81\xa5float\x81\xa7integer\xb418446744073709551617").unwrap();
    assert_eq!(
        (rounded.float, rounded.small),
        (18_446_744_073_709_551_616.0, 0)
    );
    let too_large = read(b"\x82\xa5float\x01\xa5small\x81\xa7integer\xb418446744073709551617");
    assert!(too_large.is_err());
}

#[test]
fn attributes_reach_what_the_guide_says() {
    type Frames = (Array1<u8>, [Rc<Array1<f32>>; 1]);

    #[derive(Checkpoint, Debug, PartialEq)]
    struct Reach {
        #[checkpoint(compress)]
        compressed: Option<Box<[Frames]>>,
        #[checkpoint(array)]
        rows: Vec<[f32; 3]>,
        #[checkpoint(array)]
        texts: Vec<String>,
        #[checkpoint(scalar)]
        scalars: BTreeMap<String, Vec<u8>>,
    }

    let state = Reach {
        compressed: Some(Box::new([(array![1], [Rc::new(array![1.0])])])),
        rows: vec![[1.0; 3]; 2],
        texts: vec!["a".into()],
        scalars: BTreeMap::from([("x".into(), vec![1])]),
    };
    let dict = state.to_state_dict().unwrap();
    let list = dict.get("compressed").and_then(Value::as_list).unwrap();
    let pair = list[0].as_list().unwrap();
    assert!(npcodec::uncompress(pair[0].as_array().unwrap()).is_ok());
    let inner = pair[1].as_list().unwrap()[0].as_array().unwrap();
    assert_eq!(npcodec::uncompress(inner).unwrap().dtype_text(), "'<f4'");
    assert_eq!(array_of(dict.get("rows").unwrap()).1, [2, 3]);
    assert_eq!(array_of(dict.get("texts").unwrap()).0, "'<U1'");
    let scalars = dict.get("scalars").and_then(Value::as_map).unwrap();
    let items = scalars.get("x").and_then(Value::as_list).unwrap();
    assert_eq!(array_of(&items[0]), ("'|u1'".to_owned(), vec![]));
    assert_eq!(Reach::from_state_dict(dict).unwrap(), state);
}
