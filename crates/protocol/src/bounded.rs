//! Lists and texts of frames, bounded while they are read: a long list is refused by its head, a long text is cut where
//! it lies.

use minicbor::decode::Error;
use minicbor::{Decode, Decoder};
use weevil_model::limits::{
    MAX_ADAPTER_CHARS, MAX_AGENT_CHARS, MAX_ERROR_CHARS, MAX_IN_FLIGHT, MAX_LOG_CHARS,
};

/// A list of attempts, no longer than a worker can hold.
pub(crate) fn list<'b, Ctx, T: Decode<'b, Ctx>>(
    from: &mut Decoder<'b>,
    ctx: &mut Ctx,
) -> Result<Vec<T>, Error> {
    let found = from.array()?.ok_or_else(|| Error::message("a list has to say how long it is"))?;
    if found > u64::from(MAX_IN_FLIGHT) {
        return Err(Error::message(format!(
            "it names {found} attempts; a worker holds at most {MAX_IN_FLIGHT}"
        )));
    }
    (0..found).map(|_| from.decode_with(ctx)).collect()
}

/// What a worker calls itself.
pub(crate) fn agent<Ctx>(from: &mut Decoder<'_>, _: &mut Ctx) -> Result<String, Error> {
    from.str().map(|text| cut(text, MAX_AGENT_CHARS).to_owned())
}

/// The GPU that a worker lends, which may be left out: printable characters, and nothing where there is none.
pub(crate) fn adapter<Ctx>(from: &mut Decoder<'_>, ctx: &mut Ctx) -> Result<Option<String>, Error> {
    let told: Option<&str> = from.decode_with(ctx)?;
    let printable = |told: &str| {
        let kept = told.chars().filter(|c| !c.is_control());
        kept.take(MAX_ADAPTER_CHARS).collect::<String>().trim().to_owned()
    };
    Ok(told.map(printable).filter(|told| !told.is_empty()))
}

/// An error's message, or its stack.
pub(crate) fn words<Ctx>(from: &mut Decoder<'_>, _: &mut Ctx) -> Result<String, Error> {
    from.str().map(|text| cut(text, MAX_ERROR_CHARS).to_owned())
}

/// A job's log, which may be left out.
pub(crate) fn log<Ctx>(from: &mut Decoder<'_>, ctx: &mut Ctx) -> Result<Option<String>, Error> {
    let told: Option<&str> = from.decode_with(ctx)?;
    Ok(told.map(|log| cut(log, MAX_LOG_CHARS).to_owned()))
}

/// The first characters of a text.
fn cut(text: &str, most: usize) -> &str {
    text.char_indices().nth(most).map_or(text, |(end, _)| &text[..end])
}

/// What was left out.
#[expect(clippy::unnecessary_wraps, reason = "what the derive of a frame calls for")]
pub(crate) fn absent<T: Default>() -> Option<T> {
    Some(T::default())
}
