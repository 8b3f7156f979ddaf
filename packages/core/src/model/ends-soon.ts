/**
 * Why work is aborted whose process is about to be ended, perhaps by force. What it had begun is then taken back without the time to
 * stop by itself: what is cut off halfway would be left for others to find.
 */
export class EndsSoon extends DOMException {
  constructor() {
    super('The process ends soon', 'AbortError');
  }
}
