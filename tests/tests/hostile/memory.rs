//! How much memory a reader takes at most.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

/// How many bytes a reader may hold at once for each byte of its input, and besides.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cap {
    pub(crate) times: usize,
    pub(crate) besides: usize,
}

impl Cap {
    /// Does what is to be done with an input, and says what breaks the cap or panics on the way.
    #[track_caller]
    pub(crate) fn hold<T>(
        self,
        input: &[u8],
        what: impl Fn() -> String,
        work: impl FnOnce() -> T,
    ) -> T {
        let mut done = None;
        // A panic that leaves the measure would leave it open.
        let info = allocation_counter::measure(|| {
            done = Some(catch_unwind(AssertUnwindSafe(work)));
        });
        let most = self.times * input.len() + self.besides;
        let peak = info.bytes_max;
        match done {
            Some(Ok(done)) if peak <= most as u64 => done,
            Some(Ok(_)) => panic!(
                "{} takes {peak} bytes for {} of input, at most {most} are allowed",
                what(),
                input.len()
            ),
            Some(Err(panic)) => {
                eprintln!("{} panics", what());
                resume_unwind(panic)
            }
            None => unreachable!("the work was done"),
        }
    }
}

#[test]
fn what_takes_more_is_found() {
    let cap = Cap {
        times: 2,
        besides: 10,
    };
    let takes = |bytes: usize| {
        let work = move || {
            cap.hold(b"12345", || "a vector".into(), || vec![1u8; bytes])
                .len()
        };
        catch_unwind(work).map_err(|panic| *panic.downcast::<String>().unwrap())
    };
    assert_eq!(takes(20), Ok(20));
    assert_eq!(
        takes(21),
        Err("a vector takes 21 bytes for 5 of input, at most 20 are allowed".into())
    );
}
