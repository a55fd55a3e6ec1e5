//! Which stored job equals a new one: the same project, the same code, the same input, the same type of result.

use weevil_model::{ContentHash, Encoded, ProjectId};

/// A number to find equal jobs by: the same for equal code and input in one project, and rarely for others. Whoever finds a job
/// by it still compares all three themselves. For the first project it is what it was before there were others.
pub fn fingerprint(project: ProjectId, code: ContentHash, input: &Encoded) -> i64 {
    let number = project.number().to_be_bytes();
    let wall = (project != ProjectId::DEFAULT).then_some(("project", number.as_slice()));
    let work = [("code", code.as_bytes().as_slice()), ("input", input.as_bytes())];
    ContentHash::of_parts(wall.into_iter().chain(work)).seed().cast_signed() & i64::MAX
}

#[cfg(test)]
mod tests {
    use super::*;
    use weevil_model::Value;

    #[test]
    fn equal_work_has_equal_fingerprints() {
        let number = |n| Encoded::of(&Value::Number(n)).unwrap();
        let (add, sub) = (ContentHash::of(b"add"), ContentHash::of(b"sub"));
        let (first, second) = (ProjectId::DEFAULT, ProjectId::from_number(2).unwrap());
        let found = fingerprint(first, add, &number(1.0));
        assert_eq!(fingerprint(first, add, &number(1.0)), found);
        for (project, code, input) in [(first, sub, 1.0), (first, add, 2.0), (second, add, 1.0)] {
            assert_ne!(fingerprint(project, code, &number(input)), found, "{project} {code} {input}");
        }
        assert!(found >= 0);
    }

    #[test]
    fn jobs_from_before_there_were_projects_are_found_by_the_same_number() {
        let input = Encoded::of(&Value::Number(1.0)).unwrap();
        assert_eq!(fingerprint(ProjectId::DEFAULT, ContentHash::of(b"add"), &input), 210_266_614_835_114_313);
    }
}
