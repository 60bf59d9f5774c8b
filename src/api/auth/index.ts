import generateSignature from './generate_signature.ts';
import generateToken from './generate_token.ts';
import permissionsAdd from './permissions/add.ts';
import permissionsExplain from './permissions/explain.ts';
import permissionsGet from './permissions/get.ts';
import permissionsRemove from './permissions/remove.ts';
import tokenGet from './token/get.ts';

export const auth = [
  generateToken,
  permissionsAdd,
  permissionsGet,
  permissionsRemove,
  permissionsExplain,
  generateSignature,
  tokenGet,
];
