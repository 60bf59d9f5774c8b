import type { AccessExplanation } from '@redpen/client';

export interface AskedPlace {
  organizationId: string;
  documentId?: string | undefined;
  folderId?: string | undefined;
}

/** A rule in its order: whether it decided, was passed over, or was not reached since another one had decided. */
export interface RuleLine {
  id: 'disabled' | 'admin' | 'document' | 'folder' | 'organization' | 'public' | 'nothing';
  question: string;
  answer: string;
  outcome: 'decided' | 'passed' | 'unreached';
}

type Rule = Omit<RuleLine, 'outcome'>;

const VERBS = {
  none: 'may not open',
  viewer: 'may read',
  editor: 'may read, change and comment on',
} as const;

/** Says in one sentence what the user may do. */
export function sentenceOf(userId: string, place: AskedPlace, { accessRole }: AccessExplanation): string {
  const { organizationId, documentId, folderId } = place;
  const what =
    documentId !== undefined
      ? `the document ${documentId} of ${organizationId}`
      : folderId !== undefined
        ? `the folder ${folderId} of ${organizationId}`
        : `the organization ${organizationId}`;
  return `${userId} ${VERBS[accessRole]} ${what}.`;
}

/** The rules that decide on access, in their order, with the one that decided here. */
export function rulesOf(explanation: AccessExplanation, place: AskedPlace): RuleLine[] {
  if (!explanation.exists) return [];
  const rules = rulesFor(explanation, place);
  const decided = decidingRule(explanation);
  const at = rules.findIndex(({ id }) => id === decided);
  return rules.map((rule, index) => ({
    ...rule,
    outcome: index === at ? 'decided' : index < at || at === -1 ? 'passed' : 'unreached',
  }));
}

function decidingRule(explanation: AccessExplanation): RuleLine['id'] {
  const { disabled, grants, accessRole, accessType, isAdmin } = explanation;
  if (disabled) return 'disabled';
  const decided = grants.find((grant) => grant.decided);
  if (decided) {
    // The reason of an admin names the grant of the organization, too.
    return isAdmin && decided.type === 'organization' && accessRole === 'editor' ? 'admin' : decided.type;
  }
  if (accessType === 'restricted' && grants.some((grant) => grant.type === 'organization' && !grant.expired))
    return 'organization';
  return accessType === 'public' && accessRole !== 'none' ? 'public' : 'nothing';
}

function rulesFor(explanation: AccessExplanation, { documentId, folderId }: AskedPlace): Rule[] {
  const { disabled, isAdmin, accessType, folderIds } = explanation;
  const isOrganization = documentId === undefined && folderId === undefined;
  const rules: (Rule | false)[] = [
    {
      id: 'disabled',
      question: isOrganization
        ? 'Is the organization disabled?'
        : `Is the ${documentId === undefined ? 'folder' : 'document'} or its organization disabled?`,
      answer: disabled ? 'Yes: nothing opens it.' : 'No.',
    },
    {
      id: 'admin',
      question: 'Does a token make the user an admin of the organization?',
      answer: isAdmin ? 'The token says so.' : 'No, or no token was given.',
    },
    documentId !== undefined && {
      id: 'document',
      question: 'Is the document itself granted?',
      answer: grantsOn(explanation, 'document'),
    },
    !isOrganization && {
      id: 'folder',
      question: 'Is a folder around it granted, the nearest first?',
      answer: folderIds.length === 0 ? 'It is in no folder.' : grantsOn(explanation, 'folder'),
    },
    {
      id: 'organization',
      question:
        accessType === 'restricted'
          ? 'Is the organization granted? A restricted document needs more.'
          : 'Is the organization granted?',
      answer: grantsOn(explanation, 'organization'),
    },
    !isOrganization && {
      id: 'public',
      question: 'Is it public?',
      answer:
        accessType === 'public'
          ? 'Yes: every user of the API key may open it.'
          : `No, its access type is ${accessType ?? 'unknown'}.`,
    },
    { id: 'nothing', question: 'Otherwise', answer: 'It stays closed.' },
  ];
  return rules.filter((rule): rule is Rule => rule !== false);
}

function grantsOn({ grants }: AccessExplanation, type: 'document' | 'folder' | 'organization'): string {
  const found = grants.filter((grant) => grant.type === type);
  if (found.length === 0) return 'No.';
  return found
    .map(({ id, accessRole, source, expired, expiresAt }) => {
      const from = source === 'token' ? 'by the token' : 'stored';
      if (expired) return `${id} as ${accessRole}, ${from}, but it has expired.`;
      const until =
        expiresAt === null
          ? ''
          : ` until ${new Date(expiresAt * 1_000).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
      return `${id} as ${accessRole}, ${from}${until}.`;
    })
    .join(' ');
}
