import { expect, test } from '@jest/globals';
import { releaseNotes } from '../../../tools/release/notes.ts';
import { ofCommit, spdxOfCommit } from '../../../tools/release/sbom.ts';

const changelog = '# Changelog\n\n## 0.2.0 (2026-12-01)\n\n### New\n\n**B.**\n\n## 0.1.0 (2026-11-01)\n\n**A.**\n';

test('release notes are the part of one version, with headings of the second level', () => {
  expect(releaseNotes(changelog, '0.2.0')).toBe('## New\n\n**B.**');
  expect(releaseNotes(changelog, '0.1.0')).toBe('**A.**');
  expect(() => releaseNotes(changelog, '0.3.0')).toThrow('no part for 0.3.0');
});

test('documents of one commit have one id and time, whenever and wherever npm made them', () => {
  const commit = { commit: 'c'.repeat(40), time: 1_700_000_000 };
  const made = (now: string, folder: string) => [
    ofCommit(
      { serialNumber: now, metadata: { timestamp: now, component: { name: folder, version: '1' } } } as never,
      commit,
    ),
    spdxOfCommit({ name: 'azimuth@1', documentNamespace: now, creationInfo: { created: now } } as never, commit),
  ];
  const documents = made('today', 'here');
  expect(made('tomorrow', 'there')).toEqual(documents);
  expect(documents).toMatchObject([
    {
      serialNumber: expect.stringMatching(/^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/),
      metadata: { timestamp: '2023-11-14T22:13:20.000Z', component: { name: 'azimuth' } },
    },
    { creationInfo: { created: '2023-11-14T22:13:20.000Z' } },
  ]);
});
