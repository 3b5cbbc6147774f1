/** `npm publish` in the folder of the sources runs this first; for a tarball npm runs no script. */
console.error('Publish the tarball of a release instead: npm run release, then npm publish dist/release/azimuth-*.tgz');
process.exitCode = 1;
