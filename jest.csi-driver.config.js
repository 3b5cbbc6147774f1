import base from './jest.base.js';

/** The Secrets Store CSI driver, see tools/judge-tests.ts. */
export default {
  ...base,
  testMatch: ['<rootDir>/test/csi-driver/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
  maxWorkers: 1,
};
