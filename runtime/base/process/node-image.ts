/** How to fix an image without the tools of the programs on nodes; the target `programs` of the Dockerfile has none. */
export const nodeImageHint =
  'The image of the programs on nodes must be that of the target `node` of the Dockerfile: name it by `nodeImage` ' +
  '(AZIMUTH_NODE_IMAGE).';
