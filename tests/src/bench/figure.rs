//! What a gang got believed, as a picture for people: a bar for each cell of the attack model, below the share that is promised.
//! Measures nothing.

use std::fmt::Write as _;

use crate::report::Row;

const PREFIX: &str = "gang_";
const SUFFIX: &str = "_wrong_ppm";
/// How the fleet of a cell lives, as its row's name ends and as people read it, with a colour that the colour-blind tell apart; in the order of the bars.
const FLEETS: [(&str, &str, &str); 4] = [
    ("_400", "a device stays for 400 answers", "#0072b2"),
    ("_400_return", "400 answers, the gang returns", "#56b4e9"),
    ("_40", "40 answers", "#d55e00"),
    ("_40_return", "40 answers, the gang returns", "#e69f00"),
];

/// Wrong values of a million: the promise, and the top of the picture.
const PROMISED: f64 = 1_000.0;
const TOP: f64 = 1_100.0;
/// Where the scale has lines.
const MARKS: [f64; 5] = [0.0, 250.0, 500.0, 750.0, PROMISED];

const WIDTH: f64 = 900.0;
const HEIGHT: f64 = 420.0;
/// Around the bars.
const LEFT: f64 = 60.0;
const ABOVE: f64 = 70.0;
const BELOW: f64 = 40.0;
const RIGHT: f64 = 15.0;
const BAR: f64 = 17.0;

/// A cell: how the gang lies, in which fleet, and how many of a million accepted values were wrong.
#[derive(Debug, PartialEq)]
struct Cell<'r> {
    kind: &'r str,
    fleet: usize,
    wrong: f64,
}

fn cell(row: &Row) -> Option<Cell<'_>> {
    let name = row.name.strip_prefix(PREFIX)?.strip_suffix(SUFFIX)?;
    let mut fleets = FLEETS.iter().enumerate();
    let (fleet, kind) = fleets.find_map(|(fleet, (end, ..))| Some((fleet, name.strip_suffix(end)?)))?;
    Some(Cell { kind, fleet, wrong: row.new.value })
}

/// An SVG; `None` where no such cell was measured.
pub(crate) fn draw(rows: &[Row]) -> Option<String> {
    let cells: Vec<Cell<'_>> = rows.iter().filter_map(cell).collect();
    let mut kinds: Vec<&str> = cells.iter().map(|cell| cell.kind).collect();
    kinds.dedup();
    if kinds.is_empty() {
        return None;
    }
    let mut text = head();
    let group = (WIDTH - LEFT - RIGHT) / kinds.len() as f64;
    for (place, kind) in kinds.iter().enumerate() {
        let middle = (place as f64 + 0.5).mul_add(group, LEFT);
        let name = kind.replace('_', " ");
        add(&mut text, (middle, HEIGHT - BELOW + 20.0), "middle", &name);
        for cell in cells.iter().filter(|cell| cell.kind == *kind) {
            bar(&mut text, middle, cell);
        }
    }
    text.push_str("</svg>\n");
    Some(text)
}

/// How far down this many wrong values of a million are.
fn y(wrong: f64) -> f64 {
    (HEIGHT - BELOW) - wrong.min(TOP) / TOP * (HEIGHT - ABOVE - BELOW)
}

/// The frame: title, scale, promise and legend.
fn head() -> String {
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <title>Wrong values of a million that were believed, by how the gang lies; 1,000 are promised at most</title>\n\
         <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"#fff\"/>\n"
    );
    add(&mut text, (LEFT, 60.0), "start", "wrong values of a million that were believed");
    for wrong in MARKS {
        let height = y(wrong);
        let (colour, dashes) =
            if wrong < PROMISED { ("#ccc", "") } else { ("#a00", " stroke-dasharray=\"6 4\"") };
        line(&mut text, height, colour, dashes);
        add(&mut text, (LEFT - 8.0, height + 4.0), "end", &wrong.to_string());
    }
    add(&mut text, (WIDTH - RIGHT, y(PROMISED) - 6.0), "end", "promised: at most 1,000 of a million");
    for (place, (_, name, colour)) in FLEETS.iter().enumerate() {
        let left = (place as f64).mul_add(212.0, LEFT);
        let _infallible =
            writeln!(text, "<rect x=\"{left}\" y=\"22\" width=\"12\" height=\"12\" fill=\"{colour}\"/>");
        add(&mut text, (left + 18.0, 32.0), "start", name);
    }
    text
}

fn line(text: &mut String, height: f64, colour: &str, dashes: &str) {
    let end = WIDTH - RIGHT;
    let _infallible = writeln!(
        text,
        "<line x1=\"{LEFT}\" y1=\"{height:.1}\" x2=\"{end}\" y2=\"{height:.1}\" stroke=\"{colour}\"{dashes}/>"
    );
}

fn bar(text: &mut String, middle: f64, Cell { kind, fleet, wrong }: &Cell<'_>) {
    let (left, top) = ((*fleet as f64 - 2.0).mul_add(BAR, middle), y(*wrong));
    let (_, name, colour) = FLEETS[*fleet];
    let (width, height) = (BAR - 2.0, HEIGHT - BELOW - top);
    let _infallible = writeln!(
        text,
        "<rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"{width}\" height=\"{height:.1}\" fill=\"{colour}\"><title>{kind}, {name}: {wrong:.0}</title></rect>"
    );
}

fn add(text: &mut String, (x, y): (f64, f64), anchor: &str, words: &str) {
    let _infallible = writeln!(
        text,
        "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\" fill=\"#222\">{words}</text>"
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rows::less;

    fn row(name: &str, wrong: f64) -> Row {
        Row::new(&less(name, "ppm"), &[wrong])
    }

    #[test]
    fn a_cell_is_read_from_the_name_of_its_row() {
        for (name, expected) in [
            ("gang_clump_3_400_wrong_ppm", Some(("clump_3", 0))),
            ("gang_clump_3_400_return_wrong_ppm", Some(("clump_3", 1))),
            ("gang_always_40_wrong_ppm", Some(("always", 2))),
            ("gang_always_40_return_wrong_ppm", Some(("always", 3))),
            ("gang_always_40_per_job", None),
            ("honest_40_wrong_ppm", None),
        ] {
            let row = row(name, 7.0);
            assert_eq!(cell(&row), expected.map(|(kind, fleet)| Cell { kind, fleet, wrong: 7.0 }), "{name}");
        }
    }

    #[test]
    fn a_bar_is_as_high_as_its_share_of_the_promise() {
        assert_eq!(draw(&[row("retrace_s", 1.0)]), None);
        let rows = [row("gang_steady_5_400_wrong_ppm", 550.0), row("gang_always_40_wrong_ppm", 0.0)];
        let drawn = draw(&rows).expect("cells");
        let half = (HEIGHT - ABOVE - BELOW) / 2.0;
        for part in [
            format!(
                "height=\"{half:.1}\" fill=\"#0072b2\"><title>steady_5, a device stays for 400 answers: 550</title>"
            ),
            "height=\"0.0\" fill=\"#d55e00\"".to_owned(),
            ">steady 5</text>".to_owned(),
            ">always</text>".to_owned(),
        ] {
            assert!(drawn.contains(&part), "{part}: {drawn}");
        }
    }
}
