export { default } from 'minisearch';
