import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

export interface Scratch {
  readonly path: string;
  /** Writes a file below the directory and returns its path; objects become JSON. */
  write(name: string, content: string | object, mode?: number): string;
  remove(): void;
}

/** A temporary directory for one test file. */
export function scratch(): Scratch {
  const path = mkdtempSync(join(tmpdir(), 'azimuth-test-'));
  return {
    path,
    write(name, content, mode = 0o600) {
      const file = join(path, name);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content), { mode });
      return file;
    },
    remove: () => rmSync(path, { recursive: true, force: true }),
  };
}
