// assets.ts serves the package under this name.
export { Idiomorph } from 'idiomorph';
