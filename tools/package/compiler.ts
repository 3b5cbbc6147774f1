import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { API, type Project } from '@typescript/native/unstable/sync';

/** The repository. */
export const root = join(import.meta.dirname, '..', '..');

/** A project of the compiler over some sources, and the directory that it may write. */
export interface SourceProject {
  /** Its tsconfig.json. */
  readonly config: string;
  /** An empty directory, deleted at the end. */
  readonly output: string;
  /** The project in the compiler. */
  readonly project: Project;
}

/** Opens the project of these sources, paths below the repository, for `use`. `tsc` writes only their declarations. */
export function withProject<T>(sources: readonly string[], use: (opened: SourceProject) => T): T {
  const work = mkdtempSync(join(tmpdir(), 'azimuth-sources-'));
  const api = new API({ cwd: root });
  try {
    const config = join(work, 'tsconfig.json');
    const output = join(work, 'output');
    const compilerOptions = {
      ...{ noEmit: false, emitDeclarationOnly: true, declaration: true, stripInternal: true },
      ...{ rootDir: root, outDir: output, typeRoots: [join(root, 'node_modules', '@types')] },
    };
    const files = sources.map((source) => join(root, source));
    const extended = join(root, 'tsconfig.json');
    writeFileSync(config, JSON.stringify({ extends: extended, compilerOptions, files, include: [], exclude: [] }));
    const project = api.updateSnapshot({ openProjects: [config] }).getProject(config);
    if (!project) throw new Error(`The compiler has no project ${config}`);
    return use({ config, output, project });
  } finally {
    api.close();
    rmSync(work, { recursive: true, force: true });
  }
}
