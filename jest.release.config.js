import base from './jest.base.js';

/** The artefacts of a release, see tools/judge-tests.ts: made twice of the current commit, then used as a reader would. */
export default {
  ...base,
  testMatch: ['<rootDir>/test/release/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
  maxWorkers: 1,
  testTimeout: 900_000,
};
