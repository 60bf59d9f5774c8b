import get from './get.ts';

/** The first version of the API words its message in another way. */
export default {
  ...get,
  path: '/v1/commentannotations/comments/get',
  message: 'Comments(s) retrieved successfully.',
};
