/** That of package.json, which the image does not have. */
export const version = '0.1.0';
