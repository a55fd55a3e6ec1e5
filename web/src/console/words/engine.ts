/** The browser that people know an engine by. */
export function engineName(engine: string): string {
  switch (engine) {
    case "chromium":
      return "Chromium";
    case "gecko":
      return "Firefox";
    case "webkit":
      return "Safari";
    case "server":
      return "The server";
    default:
      return "another kind of worker";
  }
}
