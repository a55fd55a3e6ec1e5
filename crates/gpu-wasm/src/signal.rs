//! One call back as a future: wgpu tells that something is done by calling a function.

use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, Waker};

/// What has come, or who waits for it.
enum State<T> {
    Nobody,
    Waiting(Waker),
    Come(T),
}

/// Answers once the other half was called.
pub(super) struct Signal<T>(Arc<Mutex<State<T>>>);

/// A signal, and the function that sets it off.
pub(super) fn signal<T>() -> (Signal<T>, impl FnOnce(T)) {
    let state = Arc::new(Mutex::new(State::Nobody));
    let told = state.clone();
    let tell = move |value| {
        let before =
            std::mem::replace(&mut *told.lock().unwrap_or_else(PoisonError::into_inner), State::Come(value));
        if let State::Waiting(waker) = before {
            waker.wake();
        }
    };
    (Signal(state), tell)
}

impl<T> Future for Signal<T> {
    type Output = T;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<T> {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match std::mem::replace(&mut *state, State::Waiting(context.waker().clone())) {
            State::Come(value) => Poll::Ready(value),
            State::Nobody | State::Waiting(_) => Poll::Pending,
        }
    }
}
