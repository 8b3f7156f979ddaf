import * as z from 'zod';
import { shared } from './shared.js';

// Docker's grammar of references. Parts that repeat cannot be read in two ways, so that no text takes long to refuse.
const host = '(?:[A-Za-z0-9]+(?:-+[A-Za-z0-9]+)*(?:\\.[A-Za-z0-9]+(?:-+[A-Za-z0-9]+)*)*|\\[[A-Fa-f0-9:]+\\])';
const part = '[a-z0-9]+(?:(?:\\.|__?|-+)[a-z0-9]+)*';
const name = `(?:${host}(?::[0-9]+)?/)?${part}(?:/${part})*`;
const digest = '[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9A-Fa-f]{32,}';
// An empty text is told of in other words.
const syntax = new RegExp(`^(?:${name}(?::[A-Za-z0-9_][A-Za-z0-9_.-]{0,127})?(?:@${digest})?)?$`);

/** The name of an image, as Docker has it. */
export const imageReference = shared(() =>
  z.string().min(1).max(1_000).regex(syntax, {
    error: 'expected the name of an image such as "nginx:1.27" or "ghcr.io/shop/api:2", in lower case',
  }),
);
