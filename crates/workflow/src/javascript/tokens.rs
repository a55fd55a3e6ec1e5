//! The words and operators of JavaScript by what they do to nesting. Never looks at what stands around them.

/// A word by the part it plays where it stands alone.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Word {
    /// A name or a number.
    #[default]
    Name,
    /// A keyword in some places only.
    Unsure,
    Await,
    /// A keyword after which an operand or a declaration follows.
    Keyword,
    /// Its `( .. )` is followed by a statement.
    Head,
    While,
    Do,
    /// Goes on with a statement, as `catch` does.
    Else,
    Prefix,
    Nesting,
    Relation,
    Extends,
}

impl Word {
    pub(super) fn of(text: &str) -> Self {
        match text {
            "async" | "let" | "of" | "using" | "yield" => Self::Unsure,
            "await" => Self::Await,
            "break" | "case" | "class" | "const" | "continue" | "default" | "enum" | "export"
            | "function" | "import" | "return" | "switch" | "throw" | "try" | "var" => Self::Keyword,
            "if" | "for" | "with" => Self::Head,
            "while" => Self::While,
            "do" => Self::Do,
            "else" | "catch" | "finally" => Self::Else,
            "delete" | "typeof" | "void" => Self::Prefix,
            "new" => Self::Nesting,
            "in" | "instanceof" => Self::Relation,
            "extends" => Self::Extends,
            _ => Self::Name,
        }
    }

    /// It can follow an operand or a `;` without beginning a statement.
    pub(super) const fn continues(self) -> bool {
        matches!(self, Self::While | Self::Else | Self::Relation | Self::Extends)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Operator {
    Semicolon,
    Comma,
    Colon,
    Arrow,
    /// `@`
    Decorator,
    /// What stands on its right is inside it.
    Nesting,
    /// Between two operands, or before one.
    Link,
    Dot,
    /// `++` and `--`, before or behind.
    Step,
}

/// The longest first.
const OPERATORS: &[(&str, Operator)] = &[
    (">>>=", Operator::Nesting),
    ("...", Operator::Link),
    ("===", Operator::Link),
    ("!==", Operator::Link),
    ("**=", Operator::Nesting),
    ("&&=", Operator::Nesting),
    ("||=", Operator::Nesting),
    ("??=", Operator::Nesting),
    ("<<=", Operator::Nesting),
    (">>=", Operator::Nesting),
    (">>>", Operator::Link),
    ("=>", Operator::Arrow),
    ("==", Operator::Link),
    ("!=", Operator::Link),
    ("<=", Operator::Link),
    (">=", Operator::Link),
    ("**", Operator::Nesting),
    ("+=", Operator::Nesting),
    ("-=", Operator::Nesting),
    ("*=", Operator::Nesting),
    ("%=", Operator::Nesting),
    ("&=", Operator::Nesting),
    ("|=", Operator::Nesting),
    ("^=", Operator::Nesting),
    ("&&", Operator::Link),
    ("||", Operator::Link),
    ("??", Operator::Link),
    ("<<", Operator::Link),
    (">>", Operator::Link),
    ("++", Operator::Step),
    ("--", Operator::Step),
    ("?.", Operator::Dot),
    (";", Operator::Semicolon),
    (",", Operator::Comma),
    (":", Operator::Colon),
    ("=", Operator::Nesting),
    ("?", Operator::Nesting),
    (".", Operator::Dot),
    ("#", Operator::Dot),
    ("@", Operator::Decorator),
];

impl Operator {
    /// The operator at the start of `text` and its length in bytes; `None` for a backslash.
    pub(super) fn at(text: &str) -> Option<(Self, usize)> {
        let known = OPERATORS.iter().find(|(operator, _)| text.starts_with(operator));
        match known {
            // `a?.5:b` asks, it does not reach into `a`.
            Some(("?.", _)) if text[2..].starts_with(|next: char| next.is_ascii_digit()) => {
                Some((Self::Nesting, 1))
            }
            Some((operator, kind)) => Some((*kind, operator.len())),
            None => {
                let letter = text.chars().next().filter(|letter| *letter != '\\')?;
                Some((Self::Link, letter.len_utf8()))
            }
        }
    }
}
