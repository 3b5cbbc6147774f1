import base from './jest.base.js';

/** `npm run test:slow`: processes, kills, recorded traffic, guides, network namespaces, az and bundles. */
export default {
  ...base,
  globalSetup: '<rootDir>/test/compile-programs.js',
  testMatch: ['**/*.slow.test.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
};
