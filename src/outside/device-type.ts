export type DeviceType = 'desktop' | 'mobile';
