"""Policy distillation: a network learns the policy of its teacher, in deals that it plays itself.

`config` has every setting, and `learner` is one compiled step.
"""
