/** What somebody writes, once they have stopped. */

import { useEffect, useState } from "preact/hooks";

export function useSettled(text: string, pauseMs: number): string {
  const [settled, settle] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => settle(text), pauseMs);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
