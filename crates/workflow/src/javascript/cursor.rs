//! Steps over the words, literals and comments of JavaScript text. Never knows whether a `/` divides: it is told.

/// A place in a text, and what lies between it and the last token.
#[derive(Debug)]
pub(super) struct Cursor<'t> {
    text: &'t str,
    pub(super) at: usize,
    /// A line has ended since the last token.
    pub(super) new_line: bool,
}

/// Where a piece of a template ends.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum TemplateEnd {
    /// A backquote, or the end of the text.
    Template,
    /// `${`
    Hole,
}

impl<'t> Cursor<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        let mut cursor = Self { text, at: 0, new_line: true };
        if text.starts_with("#!") {
            cursor.skip_line();
        }
        cursor
    }

    pub(super) fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// Past white space and comments.
    pub(super) fn skip_trivia(&mut self) {
        self.new_line = self.at == 0;
        while let Some(letter) = self.peek() {
            if is_line_end(letter) {
                self.new_line = true;
                self.at += letter.len_utf8();
            } else if letter.is_whitespace() || letter == '\u{FEFF}' {
                self.at += letter.len_utf8();
            } else if self.rest().starts_with("//") {
                self.skip_line();
            } else if self.rest().starts_with("/*") {
                let comment = &self.rest()[2..];
                let length = comment.find("*/").map_or(comment.len(), |inside| inside + 2);
                self.new_line |= comment[..length].contains(is_line_end);
                self.at += 2 + length;
            } else {
                return;
            }
        }
    }

    fn skip_line(&mut self) {
        self.at += self.rest().find(is_line_end).unwrap_or(self.rest().len());
    }

    /// An identifier, keyword or number; empty where none stands.
    pub(super) fn word(&mut self) -> &'t str {
        let rest = self.rest();
        let number = rest.starts_with(|first: char| first.is_ascii_digit())
            || rest.strip_prefix('.').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
        let inside = |letter: char| is_word_part(letter) || (number && letter == '.');
        let word = &rest[..rest.find(|letter| !inside(letter)).unwrap_or(rest.len())];
        self.at += word.len();
        word
    }

    /// Past a string that begins here. A line end that is not escaped ends it, as it ends the parser's reading.
    pub(super) fn skip_string(&mut self, quote: char) {
        self.at += 1;
        while let Some(letter) = self.peek() {
            if matches!(letter, '\n' | '\r') {
                return;
            }
            self.skip_letter(letter);
            if letter == quote {
                return;
            }
        }
    }

    /// Past a regular expression that begins here. Answers how many groups and classes it opens.
    pub(super) fn skip_regex(&mut self) -> u32 {
        self.at += 1;
        let (mut opened, mut in_class) = (0, false);
        while let Some(letter) = self.peek().filter(|letter| !is_line_end(*letter)) {
            self.skip_letter(letter);
            match letter {
                '/' if !in_class => break,
                '[' => in_class = true,
                ']' => in_class = false,
                _ => {}
            }
            opened += u32::from(matches!(letter, '(' | '['));
        }
        self.word();
        opened
    }

    /// Past a template's text up to its end or its next hole.
    pub(super) fn skip_template(&mut self) -> TemplateEnd {
        while let Some(letter) = self.peek() {
            if self.rest().starts_with("${") {
                self.at += 2;
                return TemplateEnd::Hole;
            }
            self.skip_letter(letter);
            if letter == '`' {
                break;
            }
        }
        TemplateEnd::Template
    }

    /// A backslash takes the next character, or the whole line end, with it.
    fn skip_letter(&mut self, letter: char) {
        self.at += letter.len_utf8();
        if letter == '\\' {
            let windows_end = self.rest().starts_with("\r\n");
            self.at += if windows_end { 2 } else { self.peek().map_or(0, char::len_utf8) };
        }
    }
}

fn is_line_end(letter: char) -> bool {
    matches!(letter, '\n' | '\r' | '\u{2028}' | '\u{2029}')
}

fn is_word_part(letter: char) -> bool {
    letter.is_ascii_alphanumeric()
        || matches!(letter, '_' | '$')
        || (!letter.is_ascii() && !letter.is_whitespace() && letter != '\u{FEFF}')
}
