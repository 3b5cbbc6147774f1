import { afterAll, beforeAll, test } from '@jest/globals';
import { readRecordings } from './recording.ts';
import { replay } from './replay.ts';
import { Stage } from './world.ts';

/** Recordings lie beside the clone; another directory can be named. */
const directory = process.env['AZIMUTH_RECORDINGS'] ?? '../shared/recordings';
const recorded = readRecordings(directory);
const more = readRecordings(process.env['AZIMUTH_RECORDINGS_MORE'] ?? '../shared/recordings-more') ?? [];
const own = readRecordings('test/replay/fixtures') ?? [];

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open();
});
afterAll(() => stage?.close());

test.each([...own, ...(recorded ?? []), ...more].map((recording) => [recording.name, recording] as const))(
  '%s: the recorded end is reached with the recorded requests and waits',
  (_, recording) => replay(stage, recording),
);

if (recorded === undefined) {
  // A skipped test is what shows in every report.
  test.skip(`NOT RUN: no recordings were replayed, as there is no directory ${directory} (see AZIMUTH_RECORDINGS)`, () =>
    undefined);
}
