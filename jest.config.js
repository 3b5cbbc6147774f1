import base from './jest.base.js';

const ownTiers = [
  'cluster',
  'node',
  'bench',
  'browser',
  'gitops',
  'pulumi',
  'database-servers',
  'aso',
  'csi-driver',
  'sdks',
  'release',
].map((tier) => `<rootDir>/test/${tier}/`);
// A slow file that the command line names runs here too.
const namesSlowFile = process.argv.some((argument) => argument.endsWith('.slow.test.ts'));

// A wait that fails prints what it saw soon; CI, on a busy machine, sets more.
process.env['AZIMUTH_TEST_WAIT'] ||= '30';

/** `npm test`: units and the sandbox in this process. */
export default {
  ...base,
  testMatch: ['**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', ...ownTiers, ...(namesSlowFile ? [] : ['\\.slow\\.test\\.ts$'])],
};
