import base from './jest.base.js';

/** Real database servers, see tools/judge-tests.ts: each file starts its own. */
export default {
  ...base,
  testMatch: ['<rootDir>/test/database-servers/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
  maxWorkers: 1,
};
