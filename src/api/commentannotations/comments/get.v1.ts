import get from './get.ts';

/** The first version of the API has another message. */
export default {
  ...get,
  path: '/v1/commentannotations/comments/get',
  message: 'Comments(s) retrieved successfully.',
};
