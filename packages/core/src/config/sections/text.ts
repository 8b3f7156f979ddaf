import * as z from 'zod';
import { shared } from './shared.js';

/** A text with at least one character. */
export const text = shared(() => z.string().min(1));
