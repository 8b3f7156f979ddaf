// What a runner needs for the job: room on the disk. DISK_THRESHOLD lets another job ask for more.
export default {
  project: { name: 'ci' },
  plugins: [['@argusai/plugin-disk', { threshold: process.env.DISK_THRESHOLD ?? '100MB' }]],
};
