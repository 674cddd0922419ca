import type { LaneResources } from '../../engine/agentKit.ts';
import { formatBytes } from '../platform/formatBytes.ts';
import { formatLength } from '../platform/formatTime.ts';
import type { Translate } from '../platform/render.ts';

/** `Uses now: 350 MB of memory · 42s of CPU · 5 processes · 1.2 GB on disk · port 4100`. */
export function describeResources(resources: LaneResources, t: Translate): string {
  const { rss_bytes, cpu_s, processes, ports, disk_bytes } = resources;
  const parts = [
    t('{0} of memory', formatBytes(rss_bytes)),
    t('{0} of CPU', formatLength(cpu_s * 1000)),
    processes === 1 ? t('1 process') : t('{0} processes', processes),
    disk_bytes !== null && t('{0} on disk', formatBytes(disk_bytes)),
    ports.length > 0 && t('port {0}', ports.join(', ')),
  ];
  return t('Uses now: {0}', parts.filter(Boolean).join(' · '));
}
