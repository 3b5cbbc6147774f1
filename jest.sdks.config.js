import base from './jest.base.js';

/** The current Azure SDKs, see tools/judge-tests.ts: in a network namespace with the address of the metadata endpoint. */
export default {
  ...base,
  testMatch: ['<rootDir>/test/sdks/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
  maxWorkers: 1,
};
