// Speaks to job workers in the real sandbox frame, in the place of a coordinator: answers an object that opens them.
(async () => {
  if (globalThis.lab) return 0;
  const frame = document.createElement("iframe");
  frame.setAttribute("sandbox", "allow-scripts");
  frame.src = "/sandbox";
  const ready = new Promise((resolve) => {
    addEventListener("message", ({ source, data }) => {
      if (source === frame.contentWindow && data.kind === "ready") resolve();
    });
  });
  document.body.append(frame);
  await ready;
  let slots = 0;

  /** Numbers, texts and lists of them, as far as these tests return them. */
  const decode = (bytes) => {
    let at = 0;
    const read = () => {
      const [kind, info] = [bytes[at] >> 5, bytes[at++] & 31];
      let length = info;
      if (info >= 24 && info < 28) {
        length = 0;
        for (const end = at + 2 ** (info - 24); at < end; ) length = length * 256 + bytes[at++];
      }
      if (kind === 0) return length;
      if (kind === 1) return -1 - length;
      if (kind === 3) return new TextDecoder().decode(bytes.subarray(at, (at += length)));
      if (kind === 4) return Array.from({ length }, read);
      if (kind === 7 && info === 27) return new DataView(bytes.buffer, bytes.byteOffset + at - 8).getFloat64(0);
      return { 20: false, 21: true, 22: null, 23: undefined }[info];
    };
    return read();
  };

  /** `end`: how the job worker went on after the job: `still`, `quiet`, `left`, or `silent` where nothing came. */
  globalThis.lab = {
    open(frozen = false) {
      const slot = slots++;
      const { port1, port2 } = new MessageChannel();
      const codes = new Map();
      let seq = 0;
      let heard = () => undefined;
      frame.contentWindow.postMessage({ kind: "open", slot, generation: 1, frozen }, "*", [port2]);
      port1.onmessage = ({ data }) => heard(data);
      return {
        close() {
          frame.contentWindow.postMessage({ kind: "close", slot, generation: 1 }, "*");
        },
        run(text, n = 0) {
          if (!codes.has(text)) {
            codes.set(text, codes.size);
            port1.postMessage({ kind: "code", code: codes.get(text), source: "code.js", codeKind: "javascript", text });
          }
          const mine = seq++;
          const job = { seq: mine, code: codes.get(text), input: Uint8Array.of(0x81, n), seed: [5, 6] };
          if (frozen) job.deterministic = true;
          const told = { logs: [], progress: [], end: "still" };
          const ended = new Promise((resolve) => {
            const after = (end) => resolve({ ...told, end });
            heard = (report) => {
              if (report.kind === "log") told.logs.push([report.seq === mine, report.text]);
              if (report.kind === "progress") told.progress.push([report.seq === mine, report.done]);
              if (report.kind === "quiet" || report.kind === "left") after(report.kind);
              for (const result of report.kind === "results" ? report.results : []) {
                const { value, error, flops, loose } = result;
                Object.assign(told, { mine: result.seq === mine, value: value && decode(value), error: error && error.message, flops });
                if (loose) setTimeout(after, 1500, "silent");
                else setTimeout(after, 0, "still");
              }
            };
          });
          port1.postMessage({ kind: "jobs", jobs: [job], maxValueBytes: 1 << 20 });
          return ended;
        },
      };
    },
  };
  return 0;
})()
