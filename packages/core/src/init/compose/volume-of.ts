import { property } from '../../model/property.js';

/** A volume in the short form, also when Compose has it in the long one; what has no short form is told. */
export function volumeOf(volume: unknown): { text: unknown } | { problem: string } {
  if (typeof volume !== 'object' || volume === null) return { text: volume };
  const [type = 'volume', source, target] = ['type', 'source', 'target'].map((key) => property(volume, key));
  const isMount = (type === 'volume' || type === 'bind') && typeof target === 'string';
  if (!isMount || (type === 'bind' && typeof source !== 'string')) {
    return { problem: `${String(target ?? source)}: a volume of the type ${String(type)} is not supported` };
  }
  const mode = property(volume, 'read_only') === true ? ['ro'] : [];
  return { text: [...(source === undefined ? [] : [source]), target, ...mode].join(':') };
}
