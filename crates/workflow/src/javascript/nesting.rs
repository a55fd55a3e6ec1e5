//! How deeply code nests, estimated before the parser sees it: the parser recurses, and its stack has an end.
//!
//! Owns an upper bound that hostile code cannot talk down; where one character could mean two things it gives up
//! instead of guessing. Never judges whether code is right.

use super::cursor::{Cursor, TemplateEnd};
use super::tokens::{Operator, Word};
use crate::limits::MAX_CODE_DEPTH;

/// Why the parser is not let loose on a text, and at which byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Obstacle {
    TooDeep(usize),
    /// What stands here can be read in two ways.
    Unclear(usize),
}

// What each construct takes of the parser's stack, in units of 64 bytes: measured, and rounded up.
const BRACKET: u32 = 40;
const ARROW: u32 = 24;
const NESTING: u32 = 16;
const PREFIX: u32 = 4;
const LINK: u32 = 2;

/// What the last token leaves to expect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Last {
    /// The end of an operand: a `/` divides.
    Operand,
    /// An operand must follow: a `/` begins a regular expression.
    Operator,
    /// A `;`: the statement has ended unless the next word goes on with it.
    End,
    /// A `.` or `#`: whatever word follows is a name.
    Dot,
    /// The `}` of a block or of an operand.
    Brace,
    /// A word that is a keyword in some places only.
    Unsure,
}

/// An open bracket, or the whole text.
#[derive(Debug)]
struct Level {
    closer: char,
    /// What its closer leaves to expect.
    then: Last,
    /// It is a hole in a template.
    hole: bool,
    /// What the statements begun directly inside cost so far, and the expression begun there.
    statement: u32,
    expression: u32,
}

impl Level {
    const fn new(closer: char, then: Last) -> Self {
        Self { closer, then, hole: false, statement: 0, expression: 0 }
    }
}

#[derive(Debug)]
struct Nesting<'t> {
    cursor: Cursor<'t>,
    levels: Vec<Level>,
    /// The cost of all levels.
    depth: u32,
    last: Last,
    /// The last token, where it is a word that is no name.
    last_word: Word,
    /// A statement, so also a label, could begin here.
    may_start: bool,
    /// The last token could be a label.
    label: bool,
    /// Between `extends` and the body of a class.
    heritage: bool,
}

/// Whether the parser can read `text` within the stack that [`MAX_CODE_DEPTH`] stands for.
pub(super) fn check(text: &str) -> Result<(), Obstacle> {
    let mut nesting = Nesting {
        cursor: Cursor::new(text),
        levels: vec![Level::new('\0', Last::Operator)],
        depth: 0,
        last: Last::Operator,
        last_word: Word::Name,
        may_start: true,
        label: false,
        heritage: false,
    };
    loop {
        nesting.cursor.skip_trivia();
        let Some(letter) = nesting.cursor.peek() else { return Ok(()) };
        let at = nesting.cursor.at;
        nesting.token(letter)?;
        if nesting.depth > MAX_CODE_DEPTH {
            return Err(Obstacle::TooDeep(at));
        }
    }
}

impl Nesting<'_> {
    fn token(&mut self, letter: char) -> Result<(), Obstacle> {
        let at = self.cursor.at;
        let word = self.cursor.word();
        if !word.is_empty() {
            if self.is_typescript(word) {
                return Err(Obstacle::Unclear(at));
            }
            self.word(word);
            return Ok(());
        }
        let label = std::mem::take(&mut self.label);
        let word = std::mem::take(&mut self.last_word);
        match letter {
            '"' | '\'' => {
                self.operand();
                self.cursor.skip_string(letter);
            }
            '(' | '[' | '{' => self.open(letter, word),
            ')' | ']' | '}' => self.close(letter),
            '`' => {
                self.link();
                self.cursor.at += 1;
                self.template();
            }
            '/' => self.slash()?,
            _ => self.operator(label)?,
        }
        Ok(())
    }

    fn add(&mut self, statement: u32, expression: u32) {
        self.depth += statement + expression;
        if let Some(level) = self.levels.last_mut() {
            level.statement += statement;
            level.expression += expression;
        }
    }

    fn expression_ends(&mut self) {
        let level = self.levels.last_mut();
        self.depth -= level.map_or(0, |level| std::mem::take(&mut level.expression));
    }

    fn statement_ends(&mut self) {
        self.expression_ends();
        let level = self.levels.last_mut();
        self.depth -= level.map_or(0, |level| std::mem::take(&mut level.statement));
    }

    /// A literal or name: right after another operand it can only begin a statement.
    fn operand(&mut self) {
        if matches!(self.last, Last::Operand | Last::Brace | Last::End) {
            self.statement_ends();
        }
        (self.last, self.may_start) = (Last::Operand, true);
    }

    /// The parser knows these words of TypeScript, and types nest in ways of their own.
    fn is_typescript(&self, word: &str) -> bool {
        let continues = matches!(self.last, Last::Operand | Last::Brace) && !self.cursor.new_line;
        continues && matches!(word, "as" | "implements" | "satisfies")
    }

    fn word(&mut self, text: &str) {
        let (label, dot) = (self.may_start, self.last == Last::Dot);
        let word = if dot { Word::Name } else { Word::of(text) };
        if dot {
            (self.last, self.may_start) = (Last::Operand, true);
        } else if word.continues() {
            if matches!(word, Word::Else | Word::While) {
                self.expression_ends();
            }
        } else {
            self.operand();
        }
        match word {
            Word::Name => {}
            Word::Unsure | Word::Await => self.last = Last::Unsure,
            _ => (self.last, self.may_start) = (Last::Operator, matches!(word, Word::Else | Word::Do)),
        }
        match word {
            Word::Head | Word::While | Word::Do => self.add(NESTING, 0),
            Word::Nesting | Word::Extends => self.add(0, NESTING),
            Word::Prefix | Word::Await => self.add(0, PREFIX),
            Word::Relation => self.add(0, LINK),
            Word::Name | Word::Unsure | Word::Keyword | Word::Else => {}
        }
        if text == "yield" {
            self.add(0, NESTING);
        }
        self.heritage |= word == Word::Extends;
        self.label = label && !dot && matches!(word, Word::Name | Word::Unsure | Word::Await);
        self.last_word = word;
    }

    /// A call, an index or a template's tag: the operand before it goes on.
    fn link(&mut self) {
        match self.last {
            Last::Operator => {}
            Last::End => self.statement_ends(),
            _ => self.add(0, LINK),
        }
    }

    fn open(&mut self, letter: char, word: Word) {
        self.link();
        self.cursor.at += 1;
        let level = match letter {
            '(' if matches!(word, Word::Head | Word::While) => Level::new(')', Last::Operator),
            '(' if word == Word::Await => Level::new(')', Last::Unsure),
            '(' => Level::new(')', Last::Operand),
            '[' => Level::new(']', Last::Operand),
            _ => Level::new('}', Last::Brace),
        };
        self.push(level);
        self.may_start = letter == '{';
        self.heritage &= letter != '{';
    }

    fn push(&mut self, level: Level) {
        self.depth += BRACKET;
        self.levels.push(level);
        self.last = Last::Operator;
    }

    /// A closer that fits nothing changes nothing: the parser stops there.
    fn close(&mut self, letter: char) {
        self.cursor.at += 1;
        let Some(level) = self.levels.pop_if(|level| level.closer == letter) else { return };
        self.depth -= BRACKET + level.statement + level.expression;
        (self.last, self.may_start) = (level.then, true);
        if level.hole {
            self.template();
        }
    }

    fn template(&mut self) {
        match self.cursor.skip_template() {
            TemplateEnd::Template => (self.last, self.may_start) = (Last::Operand, true),
            TemplateEnd::Hole => {
                self.push(Level { hole: true, ..Level::new('}', Last::Operand) });
                self.may_start = false;
            }
        }
    }

    fn slash(&mut self) -> Result<(), Obstacle> {
        let at = self.cursor.at;
        match self.last {
            Last::Operand => {
                self.cursor.at += 1;
                self.add(0, LINK);
                (self.last, self.may_start) = (Last::Operator, false);
            }
            Last::Operator | Last::End => {
                self.operand();
                let inside = self.cursor.skip_regex();
                if self.depth.saturating_add(inside.saturating_mul(NESTING)) > MAX_CODE_DEPTH {
                    return Err(Obstacle::TooDeep(at));
                }
            }
            Last::Dot | Last::Brace | Last::Unsure => return Err(Obstacle::Unclear(at)),
        }
        Ok(())
    }

    fn operator(&mut self, label: bool) -> Result<(), Obstacle> {
        let at = self.cursor.at;
        let rest = self.cursor.rest();
        let comment = rest.starts_with("<!--") || (self.cursor.new_line && rest.starts_with("-->"));
        let type_arguments = self.heritage && rest.starts_with('<');
        let operator = Operator::at(rest).filter(|_| !comment && !type_arguments);
        let operator = operator.ok_or(Obstacle::Unclear(at))?;
        self.cursor.at += operator.1;
        if self.last == Last::End && operator.0 != Operator::Semicolon {
            self.statement_ends();
        }
        let before = self.last;
        (self.last, self.may_start) = (Last::Operator, false);
        match operator.0 {
            Operator::Semicolon => (self.last, self.may_start) = (Last::End, true),
            Operator::Comma if self.levels.last().is_some_and(|level| matches!(level.closer, ')' | ']')) => {
                self.statement_ends();
            }
            Operator::Comma => self.expression_ends(),
            Operator::Colon => {
                self.may_start = true;
                self.add(if label { NESTING } else { 0 }, 0);
            }
            Operator::Arrow => self.add(0, ARROW),
            Operator::Decorator => self.add(0, BRACKET),
            Operator::Nesting => self.add(0, NESTING),
            Operator::Link => self.add(0, if before == Last::Operand { LINK } else { PREFIX }),
            Operator::Dot => {
                self.add(0, LINK);
                self.last = Last::Dot;
            }
            Operator::Step => {
                self.add(0, PREFIX);
                self.last = match before {
                    Last::Operand if self.cursor.new_line => Last::Operator,
                    Last::Brace => Last::Unsure,
                    _ => before,
                };
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn honest_code_passes() {
        let sum = format!("x = {};", "'line\\n' + ".repeat(2000) + "1");
        let else_if = format!("function f() {{ {} {{}} }}", "if (a) b = 1; else ".repeat(400));
        let flat =
            "function f(a) { if (a) return -1; for (var i in a) g(a[i] / 2, `${i}/${a}`, /[/(]/g); }\n";
        let no_semicolons = "a = b => c\nfoo(x)\nlet y = !x\nz = x ? y : {a: 1, b: 2}\n";
        let table = format!("var t = {{ {} }}", "k: [1, -2, 3], ".repeat(9000));
        let switch = format!("switch (a) {{ {} }}", "case -1: case A.b: x = -1; break;".repeat(3000));
        for text in [
            sum,
            else_if,
            flat.repeat(3000),
            no_semicolons.repeat(3000),
            table,
            switch,
            "while (n --> 0) {}".into(),
        ] {
            assert_eq!(check(&text), Ok(()), "{}", &text[..80.min(text.len())]);
        }
    }

    #[test]
    fn what_could_be_two_things_is_not_guessed() {
        for (text, at) in [
            ("x = {} /\"/; ((((", 7),
            ("\\u0069f (x) /a/", 0),
            ("a <!-- (", 2),
            ("a\n--> (", 2),
            ("of /a/", 3),
            ("await (x) /a/", 10),
            ("x as y", 2),
            ("class A extends B<C> {}", 17),
        ] {
            assert_eq!(check(text), Err(Obstacle::Unclear(at)), "{text}");
        }
    }
}
