"""One process, or several under accelerate launch that share the rows of each step and sum their gradients."""

import os


class ProcessGroup:
    def __init__(self):
        self.rank = int(os.environ.get("RANK", "0"))
        self.size = int(os.environ.get("WORLD_SIZE", "1"))
        if self.size > 1:
            import torch

            self.device = f"cuda:{os.environ.get('LOCAL_RANK', '0')}" if torch.cuda.is_available() else "cpu"
            torch.distributed.init_process_group("nccl" if torch.cuda.is_available() else "gloo")
        else:
            self.device = None

    def share(self, rows):
        return rows[self.rank :: self.size]

    def sum_gradients(self, parameters, number):
        """Sums gradients and one number over the processes. A process without rows adds zeros."""
        if self.size == 1:
            return number
        import torch

        parameters = list(parameters)
        flat = torch.cat([(torch.zeros_like(p) if p.grad is None else p.grad).flatten() for p in parameters])
        torch.distributed.all_reduce(flat)
        at = 0
        for parameter in parameters:
            parameter.grad = flat[at : at + parameter.numel()].view_as(parameter).clone()
            at += parameter.numel()
        return self.sum_number(number)

    def sum_number(self, number):
        if self.size == 1:
            return number
        import torch

        value = torch.tensor([number], dtype=torch.float64, device=self.device)
        torch.distributed.all_reduce(value)
        return float(value[0])

    def wait(self):
        if self.size > 1:
            import torch

            torch.distributed.barrier()

    def close(self):
        if self.size > 1:
            import torch

            torch.distributed.destroy_process_group()
