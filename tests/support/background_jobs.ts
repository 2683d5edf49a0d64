/** Waits for jobs in each way that Ansible has, and prints where their results were. */
export const BACKGROUND_JOBS = `- hosts: all
  gather_facts: false
  tasks:
    - name: Waited for
      command: echo waited {{ inventory_hostname }}
      async: 60
      poll: 1
      register: waited
    - name: Begun
      shell: sleep 1; echo begun {{ inventory_hostname }}
      async: 60
      poll: 0
      register: begun
    - name: Asked for
      async_status: { jid: "{{ begun.ansible_job_id }}" }
      register: asked
      until: asked.finished | bool
      retries: 60
      delay: 1
    - debug: { msg: "{{ waited.stdout }}, {{ asked.stdout }}, in {{ asked.results_file }}." }
- hosts: all
  gather_facts: false
  tasks:
    - name: Asked for again, by another play
      async_status: { jid: "{{ begun.ansible_job_id }}" }
      connection: ansible.builtin.local
      register: again
    - debug: { msg: "again {{ again.stdout }}." }
`;
