/** Words of all keys, by where they count. Apart from those of the frame: they come when somebody asks for them. */

export const KEY_PARTS = [
  {
    title: "Everywhere",
    rows: [
      ["Ctrl K or ⌘ K", "find a page, a run or a workflow, or do something"],
      ["?", "these keys"],
      ["g o", "Overview"],
      ["g r", "Runs"],
      ["g w", "Workflows"],
      ["g q", "Queue"],
      ["g f", "Workers"],
      ["t", "charts as tables, and back"],
      ["Esc", "close what is open, or leave the filter"],
    ],
  },
  {
    title: "In a list",
    rows: [
      ["j, k, ↓ ↑", "next and previous row"],
      ["Home, End", "first and last row"],
      ["Page Up, Page Down", "ten rows up, ten rows down"],
      ["Enter", "open the row"],
      ["Space", "a look at the row beside its list, and back"],
      ["/", "filter the list"],
      ["[ and ]", "previous and next attempt of a job"],
    ],
  },
  {
    title: "In a graph",
    rows: [
      ["← → ↑ ↓", "walk along the edges"],
      ["Enter, Space", "open the node, or the stack"],
      ["Shift ← → ↑ ↓", "move the picture"],
      ["Page Up, Page Down", "a screen to the left, to the right"],
      ["Home, End", "the first layer, the last one"],
      ["+ − 0", "zoom in, out, fit"],
      ["/", "find a node"],
      ["t, e, l, f", "table, next failed, longest running, follow what runs"],
    ],
  },
  {
    title: "On a timeline",
    rows: [
      ["← → ↑ ↓", "from attempt to attempt"],
      ["Enter", "open the job of the attempt"],
      ["Shift ← →", "earlier and later"],
      ["+ − 0", "zoom in, out, show all"],
      ["w, t", "rows by worker or node, picture or table"],
    ],
  },
  {
    title: "On the page of a run",
    rows: [["Ctrl P or ⌘ P", "print it, whichever of its parts is open"]],
  },
  {
    title: "In the editor",
    rows: [
      ["Ctrl Enter or ⌘ Enter", "run what is written"],
      ["Ctrl S or ⌘ S", "save a version"],
      ["Ctrl Space", "complete what is written"],
      ["F12", "go to what is named"],
      ["F2", "rename a node"],
      ["F8", "go to the next problem"],
    ],
  },
] as const;
