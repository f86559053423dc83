//! NumPy's `SeedSequence`: how a seed becomes the state of a generator.

const POOL: usize = 4;

/// A hash whose multiplier changes with every word.
struct Hash {
    factor: u32,
    multiplier: u32,
}

impl Hash {
    fn word(&mut self, word: u32) -> u32 {
        let word = word ^ self.factor;
        self.factor = self.factor.wrapping_mul(self.multiplier);
        let word = word.wrapping_mul(self.factor);
        word ^ word >> 16
    }
}

fn mix(left: u32, right: u32) -> u32 {
    let mixed = left
        .wrapping_mul(0xca01_f9dd)
        .wrapping_sub(right.wrapping_mul(0x4973_f715));
    mixed ^ mixed >> 16
}

/// Returns the two words of 128 bits that `SeedSequence(seed)` generates.
pub(super) fn generate(seed: u128) -> [u128; 2] {
    let mut hash = Hash {
        factor: 0x43b0_d7e5,
        multiplier: 0x931e_8875,
    };
    let mut pool = [0, 32, 64, 96].map(|shift| hash.word((seed >> shift) as u32));
    for source in 0..POOL {
        for target in (0..POOL).filter(|&target| target != source) {
            pool[target] = mix(pool[target], hash.word(pool[source]));
        }
    }
    let mut hash = Hash {
        factor: 0x8b51_f9dd,
        multiplier: 0x58f3_8ded,
    };
    let mut word = 0;
    [(); 2].map(|()| {
        // The words of 64 bits come the upper one first, their halves the lower one first.
        [64, 96, 0, 32].iter().fold(0, |words, shift| {
            let next = hash.word(pool[word % POOL]);
            word += 1;
            words | u128::from(next) << shift
        })
    })
}
