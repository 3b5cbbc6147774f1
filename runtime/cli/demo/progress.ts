/** Shows steps as they happen: a spinner on a terminal, one plain line per change otherwise. */
export interface Progress {
  /** Runs `work` as a named step; its return value may add a remark to the line. Rethrows its error. */
  step<T>(title: string, work: (note: (remark: string) => void) => Promise<T>): Promise<T>;
  /** A line of its own, under the steps so far. */
  line(text: string): void;
}

/** Where progress is written; a terminal gets an animated line. */
export interface ProgressOutput {
  write(text: string): unknown;
  readonly isTTY?: boolean;
}

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const FRAME_MS = 80;
const ERASE_LINE = '\r\u001b[2K';

/** Writes the steps of a program; `now` returns milliseconds. */
export function createProgress(output: ProgressOutput, now: () => number = () => performance.now()): Progress {
  const live = output.isTTY === true;
  let current: { title: string; remark: string } | undefined;
  let frame = 0;
  const draw = () => {
    if (!current) return;
    frame = (frame + 1) % FRAMES.length;
    output.write(`${ERASE_LINE}${FRAMES[frame]} ${label(current)}`);
  };
  const label = ({ title, remark }: { title: string; remark: string }) => (remark ? `${title}: ${remark}` : title);
  const print = (text: string) => {
    output.write(live ? `${ERASE_LINE}${text}\n` : `${text}\n`);
    if (live) draw();
  };

  return {
    line: (text) => print(text),
    async step(title, work) {
      const started = now();
      const mine = { title, remark: '' };
      current = mine;
      const timer = live ? setInterval(draw, FRAME_MS) : undefined;
      const finish = (mark: string) => {
        clearInterval(timer);
        current = undefined;
        print(`${mark} ${label(mine)} (${((now() - started) / 1000).toFixed(1)} s)`);
      };
      try {
        const result = await work((remark) => {
          if (remark === mine.remark) return;
          mine.remark = remark;
          if (live) draw();
        });
        finish('✓');
        return result;
      } catch (error) {
        finish('✗');
        throw error;
      }
    },
  };
}
