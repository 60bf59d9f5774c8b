import { configOf } from '../../../http/audit-targets.ts';
import { write } from '../../../http/endpoint.ts';
import { changedEmailConfig, showEmailConfig } from '../../../notifications/email-config.ts';
import { emailConfig, emailConfigChange } from '../../../shapes/service-config.ts';
import { changedSecret, changeServiceConfig } from '../../../store/platform/service-configs.ts';

export default write({
  path: '/v2/workspace/emailconfig/update',
  auth: 'apiKey',
  role: 'owner',
  summary: 'Change the email settings.',
  description: 'Fields that are not sent keep their values.',
  data: emailConfigChange.meta({
    examples: [
      {
        useEmailService: true,
        emailServiceConfig: { fromCompany: 'Acme', triggers: { 'comment.add': true } },
      },
    ],
  }),
  result: emailConfig,
  message: 'Email configuration updated successfully.',
  audit: { action: 'email.config_changed', before: configOf('email') },

  async handle(data, { tx, caller, keyring }) {
    const changed = await changeServiceConfig(tx, caller, 'email', (stored) => ({
      config: changedEmailConfig(stored?.config ?? {}, data),
      secretSealed: changedSecret(keyring, caller, 'email', stored, data.emailServiceConfig?.apiKey),
    }));
    return showEmailConfig(changed);
  },
});
