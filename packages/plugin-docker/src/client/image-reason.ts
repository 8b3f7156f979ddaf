import type { Answer } from './classify-failure.js';

/** Every reason why an image may not be to be had. */
export const imageReasons = [
  'not-found',
  'denied',
  'registry-unreachable',
  'rate-limited',
  'wrong-platform',
  'invalid-name',
  'failed',
] as const;

/** Why an image is not to be had. */
export type ImageReason = (typeof imageReasons)[number];

const reasons: Partial<Record<Answer, ImageReason>> = {
  'image-not-found': 'not-found',
  missing: 'not-found',
  'image-denied': 'denied',
  'image-wrong-platform': 'wrong-platform',
  'registry-unreachable': 'registry-unreachable',
  'registry-rate-limited': 'rate-limited',
  invalid: 'invalid-name',
};

/** What the daemon's answer to a pull says about the image. */
export function imageReasonOf(answer: Answer): ImageReason {
  return reasons[answer] ?? 'failed';
}
