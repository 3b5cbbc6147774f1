import base from './jest.base.js';

/** The page in a real browser, see tools/judge-tests.ts. */
export default {
  ...base,
  testMatch: ['<rootDir>/test/browser/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
  maxWorkers: 1,
};
