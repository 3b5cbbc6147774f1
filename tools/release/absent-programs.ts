/**
 * What the standalone program has in place of the programs that it leaves out: those of the cluster start further
 * processes of Node.js, and the sandbox and the demonstration are large.
 */
const absent =
  (name: string, where = 'the image or the npm package') =>
  async (): Promise<number> => {
    console.error(`azimuth: the standalone program has no azimuth ${name}: run it from ${where}`);
    return 1;
  };

const operator = absent('operator');
const identity = absent('identity');
const nmi = absent('nmi');
const volumes = absent('volumes');
const secrets = absent('secrets');
const flexvolume = absent('flexvolume');
const sandbox = absent('sandbox', 'the npm package');
const demo = absent('demo', 'the npm package');
// Of the page, which the bundle has already.
const buildPage = absent('page', 'the npm package');

export { buildPage, demo, flexvolume, identity, nmi, operator, sandbox, secrets, volumes };
