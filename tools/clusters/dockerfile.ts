import { readFileSync } from 'node:fs';

/** The targets of the Dockerfile, and the names of their images in a release. */
export const imageNames = { node: 'azimuth-image', programs: 'azimuth-controllers-image' } as const;

/** A target of the Dockerfile. */
export type ImageTarget = keyof typeof imageNames;

/** The instructions of each stage of a Dockerfile, with continued lines joined, by the name of the stage. */
export function dockerStages(text = readFileSync('Dockerfile', 'utf8')): ReadonlyMap<string, readonly string[]> {
  const stages = text
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, '')
    .split(/^(?=FROM )/m)
    .map((stage) => stage.split('\n').filter(Boolean));
  return new Map(stages.filter(([from]) => from).map((stage) => [/ AS (\S+)$/.exec(stage[0] ?? '')?.[1] ?? '', stage]));
}

/** The content of an image beside that of its base. */
export interface ImageContent {
  /** Folders of the build stages, and where they go. */
  readonly copies: readonly (readonly [source: string, target: string])[];
  /** Debian packages. */
  readonly packages: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly entryPoint: readonly string[];
  /** Ids of the user and the group, such as `65532:65532`. */
  readonly user: string;
}

/** The content of a target of the Dockerfile, that of the targets that it is made from included. */
export function imageContent(target: string, stages = dockerStages()): ImageContent {
  const stage = stages.get(target);
  if (!stage) return { copies: [], packages: [], env: {}, entryPoint: [], user: '' };
  const base = imageContent(/^FROM (\S+)/.exec(stage[0] ?? '')?.[1] ?? '', stages);
  const all = (pattern: RegExp) => stage.flatMap((line) => [...line.matchAll(pattern)]);
  const copies = all(/^COPY --from=\S+ (\S+) (\S+)$/g).map(([, source = '', to = '']) => [source, to] as const);
  const words = all(/apt-get install ([^&]*)/g).flatMap(([, list = '']) => list.trim().split(/\s+/));
  const entryPoint = all(/^ENTRYPOINT (.*)$/g).at(-1)?.[1];
  return {
    copies: [...base.copies, ...copies],
    packages: [...base.packages, ...words.filter((word) => !word.startsWith('-'))],
    env: { ...base.env, ...Object.fromEntries(all(/^ENV (\w+)=(.*)$/g).map(([, name, value]) => [name, value])) },
    entryPoint: entryPoint === undefined ? base.entryPoint : JSON.parse(entryPoint),
    user: all(/^USER (.*)$/g).at(-1)?.[1] ?? base.user,
  };
}
