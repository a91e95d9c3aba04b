//! Manners per host: at most N requests in flight, a pause between two, silence until the time that the host named.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use jiff::Timestamp;
use tokio::sync::{Mutex as AsyncMutex, OwnedSemaphorePermit, Semaphore};

use crate::clock::Clock;

/// The lanes of all hosts that were asked. A lane is a host together with the kind of service on it, because a mirror may
/// serve several registries from one host.
#[derive(Default)]
pub(crate) struct Lanes {
    lanes: Mutex<HashMap<String, Arc<HostLane>>>,
}

/// One host's lane.
pub(crate) struct HostLane {
    slots: Arc<Semaphore>,
    next_start: AsyncMutex<Option<Timestamp>>,
    silence: Mutex<Silence>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Silence {
    until: Option<Timestamp>,
    strikes: u32,
}

impl Lanes {
    /// The lane with this key. `silent_until` is what an earlier run remembered of it.
    pub(crate) fn lane(
        &self,
        key: &str,
        in_flight: usize,
        silent_until: impl FnOnce() -> Option<Timestamp>,
    ) -> Arc<HostLane> {
        let mut lanes = self.lanes.lock().unwrap_or_else(PoisonError::into_inner);
        let new = || {
            Arc::new(HostLane {
                slots: Arc::new(Semaphore::new(in_flight.max(1))),
                next_start: AsyncMutex::new(None),
                silence: Mutex::new(Silence {
                    until: silent_until(),
                    strikes: 0,
                }),
            })
        };
        lanes.entry(key.to_owned()).or_insert_with(new).clone()
    }
}

impl HostLane {
    /// Until when nothing may be sent, when that is in the future.
    pub(crate) fn silent_until(&self, now: Timestamp) -> Option<Timestamp> {
        self.silence().until.filter(|until| *until > now)
    }

    /// Sends nothing before `until`.
    pub(crate) fn be_silent(&self, until: Timestamp) {
        let mut silence = self.silence();
        silence.until = silence.until.max(Some(until));
    }

    /// Counts an answer that said "too much" without a time; gives how many there were in a row before it.
    pub(crate) fn strike(&self) -> u32 {
        let mut silence = self.silence();
        let before = silence.strikes;
        silence.strikes = before.saturating_add(1);
        before
    }

    /// The host answered properly.
    pub(crate) fn pass(&self) {
        self.silence().strikes = 0;
    }

    /// Waits for a free slot and for the pause since the last start. Hold the permit until the answer is read.
    pub(crate) async fn enter(&self, pause: Duration, clock: &dyn Clock) -> Option<OwnedSemaphorePermit> {
        let permit = self.slots.clone().acquire_owned().await.ok();
        if !pause.is_zero() {
            let mut next = self.next_start.lock().await;
            let now = clock.now();
            if let Some(start) = next.filter(|start| *start > now) {
                clock.sleep(start.duration_since(now).unsigned_abs()).await;
            }
            *next = clock.now().saturating_add(pause).ok();
        }
        permit
    }

    fn silence(&self) -> std::sync::MutexGuard<'_, Silence> {
        self.silence.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
