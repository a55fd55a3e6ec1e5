//! Whose element a job computes: jobs of one pool stand beside each other.

/// The path of the pool that a job computes an element of, as in thesis 3.4.2: an element is a value node below its pool, its
/// processor is the element's child. Which jobs compute one, no path says, since a node may be called by a number.
pub fn pool_of(path: &str) -> Option<&str> {
    let (element, _) = path.rsplit_once('/')?;
    Some(element.rsplit_once('/')?.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_element_is_two_steps_below_its_pool() {
        for (path, pool) in [
            ("double", None),
            ("0/double", None),
            ("pool/0/double", Some("pool")),
            ("input/pool/99999/double", Some("input/pool")),
        ] {
            assert_eq!(pool_of(path), pool, "{path}");
        }
    }
}
