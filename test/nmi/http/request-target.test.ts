import { expect, test } from '@jest/globals';
import { readTarget } from '../../../runtime/nmi/http/request-target.ts';

test.each([
  ['letters of another width', '/metadata/identity/%EF%BD%8Fauth2/token'],
  ['letters of another width, encoded twice', '/metadata/identity/%25EF%25BD%258Fauth2/token'],
  ['parameters of a segment', '/metadata/identity/oauth2;x=y/token'],
  ['characters that are dropped', '/metadata/identity/oau%09th2/token'],
])('what a lenient server would take for the token path is passed to nobody: %s', (_, path) => {
  expect(readTarget(`${path}?resource=r`, false).route).toBe('invalid');
});
