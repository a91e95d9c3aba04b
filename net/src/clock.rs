//! Time and randomness as arguments, so that waiting can be tested without waiting.

use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use jiff::Timestamp;

/// A future that may be sent to another thread.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// What the client needs to know of time.
pub trait Clock: Send + Sync {
    /// Now.
    fn now(&self) -> Timestamp;
    /// Waits for `time`.
    fn sleep(&self, time: Duration) -> BoxFuture<'_, ()>;
    /// A number from 0 up to 1, another one each time.
    fn jitter(&self) -> f64;
}

/// The clock of this machine.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Timestamp {
        Timestamp::now()
    }

    fn sleep(&self, time: Duration) -> BoxFuture<'_, ()> {
        Box::pin(tokio::time::sleep(time))
    }

    /// From the hasher that the standard library seeds at random: good enough to spread retries, and for nothing else.
    fn jitter(&self) -> f64 {
        use std::hash::{BuildHasher, RandomState};
        let bits = u32::try_from(RandomState::new().hash_one(Timestamp::now().as_nanosecond()) >> 32).unwrap_or(0);
        f64::from(bits) / f64::from(u32::MAX)
    }
}

/// A clock for tests: it stands still, and sleeping moves it forward at once.
#[derive(Debug)]
pub struct ManualClock {
    start: Timestamp,
    slept_ms: AtomicI64,
}

impl ManualClock {
    /// A clock that stands at `start`.
    pub fn at(start: Timestamp) -> Self {
        Self {
            start,
            slept_ms: AtomicI64::new(0),
        }
    }

    /// Moves it forward.
    pub fn advance(&self, time: Duration) {
        self.slept_ms
            .fetch_add(i64::try_from(time.as_millis()).unwrap_or(i64::MAX), Ordering::SeqCst);
    }

    /// How far it has moved since it was made.
    pub fn elapsed(&self) -> Duration {
        Duration::from_millis(u64::try_from(self.slept_ms.load(Ordering::SeqCst)).unwrap_or(0))
    }
}

impl Clock for ManualClock {
    fn now(&self) -> Timestamp {
        self.start + self.elapsed()
    }

    fn sleep(&self, time: Duration) -> BoxFuture<'_, ()> {
        self.advance(time);
        Box::pin(tokio::task::yield_now())
    }

    fn jitter(&self) -> f64 {
        0.5
    }
}
