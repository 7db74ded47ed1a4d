"""Narrow models of common architectures with random weights, for tests/parity/delegates.py and programs.py.

Each function below `# ---- architectures` is a module written as in its library, with few channels. MODELS at the end
defines how each is exported: precision, partitioner, methods.
"""

import dataclasses
import random
import typing

import torch
from torch import nn
from torch.nn import functional as F

# ---------------------------------------------------------------- architectures


class BasicBlock(nn.Module):
    """As torchvision.models.resnet.BasicBlock."""

    def __init__(self, inplanes, planes, stride=1):
        super().__init__()
        self.conv1 = nn.Conv2d(inplanes, planes, 3, stride, 1, bias=False)
        self.bn1 = nn.BatchNorm2d(planes)
        self.relu = nn.ReLU(inplace=True)
        self.conv2 = nn.Conv2d(planes, planes, 3, 1, 1, bias=False)
        self.bn2 = nn.BatchNorm2d(planes)
        self.downsample = None
        if stride != 1 or inplanes != planes:
            self.downsample = nn.Sequential(nn.Conv2d(inplanes, planes, 1, stride, bias=False), nn.BatchNorm2d(planes))

    def forward(self, x):
        identity = x
        out = self.conv1(x)
        out = self.bn1(out)
        out = self.relu(out)
        out = self.conv2(out)
        out = self.bn2(out)
        if self.downsample is not None:
            identity = self.downsample(x)
        out += identity
        return self.relu(out)


class ResNet(nn.Module):
    """As torchvision.models.resnet18."""

    def __init__(self, width=8):
        super().__init__()
        self.conv1 = nn.Conv2d(3, width, 7, 2, 3, bias=False)
        self.bn1 = nn.BatchNorm2d(width)
        self.relu = nn.ReLU(inplace=True)
        self.maxpool = nn.MaxPool2d(3, 2, 1)
        self.layer1 = nn.Sequential(BasicBlock(width, width), BasicBlock(width, width))
        self.layer2 = nn.Sequential(BasicBlock(width, 2 * width, 2), BasicBlock(2 * width, 2 * width))
        self.layer3 = nn.Sequential(BasicBlock(2 * width, 4 * width, 2), BasicBlock(4 * width, 4 * width))
        self.layer4 = nn.Sequential(BasicBlock(4 * width, 8 * width, 2), BasicBlock(8 * width, 8 * width))
        self.avgpool = nn.AdaptiveAvgPool2d((1, 1))
        self.fc = nn.Linear(8 * width, 10)

    def forward(self, x):
        x = self.maxpool(self.relu(self.bn1(self.conv1(x))))
        x = self.layer4(self.layer3(self.layer2(self.layer1(x))))
        x = self.avgpool(x)
        return self.fc(torch.flatten(x, 1))


class Residual(nn.Module):
    """A residual network written in one forward, with functional activations."""

    def __init__(self, width=8, depth=3):
        super().__init__()
        self.stem = nn.Conv2d(3, width, 3, padding=1)
        self.left = nn.ModuleList([nn.Conv2d(width, width, 3, padding=1) for _ in range(depth)])
        self.right = nn.ModuleList([nn.Conv2d(width, width, 3, padding=1) for _ in range(depth)])
        self.head = nn.Linear(width, 10)

    def forward(self, x):
        x = F.relu(self.stem(x))
        for left, right in zip(self.left, self.right):
            x = F.relu(x + right(F.relu(left(x))))
        return F.log_softmax(self.head(x.mean((2, 3))), -1)


class Bottleneck(nn.Module):
    """A preactivation bottleneck, whose batch norms cannot be folded into a convolution before them."""

    def __init__(self, width):
        super().__init__()
        self.bn1 = nn.BatchNorm2d(width)
        self.conv1 = nn.Conv2d(width, width // 2, 1, bias=False)
        self.bn2 = nn.BatchNorm2d(width // 2)
        self.conv2 = nn.Conv2d(width // 2, width // 2, 3, padding=1, bias=False)
        self.bn3 = nn.BatchNorm2d(width // 2)
        self.conv3 = nn.Conv2d(width // 2, width, 1, bias=False)

    def forward(self, x):
        out = self.conv1(F.relu(self.bn1(x)))
        out = self.conv2(F.relu(self.bn2(out)))
        out = self.conv3(F.relu(self.bn3(out)))
        return x + out


class PreactResNet(nn.Module):
    def __init__(self, width=12):
        super().__init__()
        self.stem = nn.Conv2d(3, width, 3, 2, 1)
        self.blocks = nn.Sequential(*[Bottleneck(width) for _ in range(3)])
        self.norm = nn.BatchNorm2d(width)
        self.head = nn.Linear(width, 10)

    def forward(self, x):
        x = self.blocks(self.stem(x))
        return self.head(F.adaptive_avg_pool2d(F.relu(self.norm(x)), 1).flatten(1))


class ConvBNReLU(nn.Sequential):
    def __init__(self, inp, out, kernel=3, stride=1, groups=1):
        super().__init__(nn.Conv2d(inp, out, kernel, stride, (kernel - 1) // 2, groups=groups, bias=False),
                         nn.BatchNorm2d(out), nn.ReLU6(inplace=True))


class InvertedResidual(nn.Module):
    def __init__(self, inp, out, stride, expand):
        super().__init__()
        hidden = inp * expand
        self.use_res_connect = stride == 1 and inp == out
        layers = [ConvBNReLU(inp, hidden, 1)] if expand != 1 else []
        self.conv = nn.Sequential(*layers, ConvBNReLU(hidden, hidden, 3, stride, hidden),
                                  nn.Conv2d(hidden, out, 1, bias=False), nn.BatchNorm2d(out))

    def forward(self, x):
        return x + self.conv(x) if self.use_res_connect else self.conv(x)


class MobileNetV2(nn.Module):
    """As torchvision.models.mobilenet_v2."""

    def __init__(self):
        super().__init__()
        plan = [(8, 8, 1, 1), (8, 12, 2, 4), (12, 12, 1, 4), (12, 16, 2, 4), (16, 16, 1, 4)]
        self.features = nn.Sequential(ConvBNReLU(3, 8, 3, 2), *[InvertedResidual(*row) for row in plan],
                                      ConvBNReLU(16, 64, 1))
        self.classifier = nn.Sequential(nn.Dropout(0.2), nn.Linear(64, 10))

    def forward(self, x):
        x = self.features(x)
        x = F.adaptive_avg_pool2d(x, (1, 1))
        return self.classifier(torch.flatten(x, 1))


class SqueezeExcitation(nn.Module):
    def __init__(self, channels, squeeze):
        super().__init__()
        self.avgpool = nn.AdaptiveAvgPool2d(1)
        self.fc1 = nn.Conv2d(channels, squeeze, 1)
        self.fc2 = nn.Conv2d(squeeze, channels, 1)
        self.activation = nn.ReLU()
        self.scale_activation = nn.Hardsigmoid()

    def forward(self, x):
        scale = self.scale_activation(self.fc2(self.activation(self.fc1(self.avgpool(x)))))
        return scale * x


class MobileNetV3Block(nn.Module):
    def __init__(self, inp, hidden, out, kernel, stride, squeeze, activation):
        super().__init__()
        layers = [nn.Conv2d(inp, hidden, 1, bias=False), nn.BatchNorm2d(hidden), activation(),
                  nn.Conv2d(hidden, hidden, kernel, stride, kernel // 2, groups=hidden, bias=False),
                  nn.BatchNorm2d(hidden), activation()]
        if squeeze:
            layers.append(SqueezeExcitation(hidden, squeeze))
        self.block = nn.Sequential(*layers, nn.Conv2d(hidden, out, 1, bias=False), nn.BatchNorm2d(out))
        self.residual = stride == 1 and inp == out

    def forward(self, x):
        return self.block(x) + x if self.residual else self.block(x)


class MobileNetV3(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(
            nn.Sequential(nn.Conv2d(3, 8, 3, 2, 1, bias=False), nn.BatchNorm2d(8), nn.Hardswish()),
            MobileNetV3Block(8, 16, 8, 3, 1, 4, nn.ReLU), MobileNetV3Block(8, 24, 12, 3, 2, 0, nn.ReLU),
            MobileNetV3Block(12, 32, 12, 5, 1, 8, nn.Hardswish))
        self.avgpool = nn.AdaptiveAvgPool2d(1)
        self.classifier = nn.Sequential(nn.Linear(12, 32), nn.Hardswish(), nn.Dropout(0.2), nn.Linear(32, 10))

    def forward(self, x):
        return self.classifier(torch.flatten(self.avgpool(self.features(x)), 1))


class Fire(nn.Module):
    def __init__(self, inp, squeeze, expand):
        super().__init__()
        self.squeeze = nn.Conv2d(inp, squeeze, 1)
        self.squeeze_activation = nn.ReLU(inplace=True)
        self.expand1x1 = nn.Conv2d(squeeze, expand, 1)
        self.expand1x1_activation = nn.ReLU(inplace=True)
        self.expand3x3 = nn.Conv2d(squeeze, expand, 3, padding=1)
        self.expand3x3_activation = nn.ReLU(inplace=True)

    def forward(self, x):
        x = self.squeeze_activation(self.squeeze(x))
        return torch.cat([self.expand1x1_activation(self.expand1x1(x)),
                          self.expand3x3_activation(self.expand3x3(x))], 1)


class SqueezeNet(nn.Module):
    """As torchvision.models.squeezenet1_1."""

    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(nn.Conv2d(3, 12, 3, 2), nn.ReLU(inplace=True), nn.MaxPool2d(3, 2, ceil_mode=True),
                                      Fire(12, 4, 8), Fire(16, 4, 8), nn.MaxPool2d(3, 2, ceil_mode=True), Fire(16, 6, 12))
        self.classifier = nn.Sequential(nn.Dropout(0.5), nn.Conv2d(24, 10, 1), nn.ReLU(inplace=True),
                                        nn.AdaptiveAvgPool2d((1, 1)))

    def forward(self, x):
        return torch.flatten(self.classifier(self.features(x)), 1)


class ConvNeXtBlock(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.dwconv = nn.Conv2d(dim, dim, 7, padding=3, groups=dim)
        self.norm = nn.LayerNorm(dim, eps=1e-6)
        self.pwconv1 = nn.Linear(dim, 4 * dim)
        self.act = nn.GELU()
        self.pwconv2 = nn.Linear(4 * dim, dim)
        self.gamma = nn.Parameter(torch.rand(dim))

    def forward(self, x):
        y = self.dwconv(x).permute(0, 2, 3, 1)
        y = self.pwconv2(self.act(self.pwconv1(self.norm(y))))
        return x + (self.gamma * y).permute(0, 3, 1, 2)


class ConvNeXt(nn.Module):
    def __init__(self, dim=8):
        super().__init__()
        self.stem = nn.Conv2d(3, dim, 4, 4)
        self.stages = nn.Sequential(ConvNeXtBlock(dim), ConvNeXtBlock(dim), nn.Conv2d(dim, 2 * dim, 2, 2),
                                    ConvNeXtBlock(2 * dim))
        self.norm = nn.LayerNorm(2 * dim)
        self.head = nn.Linear(2 * dim, 10)

    def forward(self, x):
        return self.head(self.norm(self.stages(self.stem(x)).mean((2, 3))))


class SsdHead(nn.Module):
    """A small backbone, and scores and boxes of three of its levels, as torchvision.models.detection.ssd puts them together."""

    def __init__(self, width=8, anchors=3, classes=4):
        super().__init__()
        self.classes = classes
        self.stages = nn.ModuleList([nn.Sequential(nn.Conv2d(3 if i == 0 else width, width, 3, 2, 1), nn.ReLU6())
                                     for i in range(3)])
        self.scores = nn.ModuleList([nn.Conv2d(width, anchors * classes, 3, padding=1) for _ in range(3)])
        self.boxes = nn.ModuleList([nn.Conv2d(width, anchors * 4, 3, padding=1) for _ in range(3)])

    def gather(self, x, columns):
        batch, _, height, width = x.shape
        x = x.view(batch, -1, columns, height, width).permute(0, 3, 4, 1, 2)
        return x.reshape(batch, -1, columns)

    def forward(self, x):
        scores, boxes = [], []
        for stage, score, box in zip(self.stages, self.scores, self.boxes):
            x = stage(x)
            scores.append(self.gather(score(x), self.classes))
            boxes.append(self.gather(box(x), 4))
        return torch.cat(scores, 1).softmax(-1), torch.cat(boxes, 1)


class DoubleConv(nn.Module):
    def __init__(self, inp, out):
        super().__init__()
        self.double_conv = nn.Sequential(nn.Conv2d(inp, out, 3, padding=1, bias=False), nn.BatchNorm2d(out), nn.ReLU(),
                                         nn.Conv2d(out, out, 3, padding=1, bias=False), nn.BatchNorm2d(out), nn.ReLU())

    def forward(self, x):
        return self.double_conv(x)


class UNet(nn.Module):
    def __init__(self, width=6):
        super().__init__()
        self.inc = DoubleConv(3, width)
        self.down = nn.Sequential(nn.MaxPool2d(2), DoubleConv(width, 2 * width))
        self.deep = nn.Sequential(nn.MaxPool2d(2), DoubleConv(2 * width, 4 * width))
        self.up1 = nn.ConvTranspose2d(4 * width, 2 * width, 2, 2)
        self.conv1 = DoubleConv(4 * width, 2 * width)
        self.up2 = nn.Upsample(scale_factor=2, mode="bilinear", align_corners=True)
        self.conv2 = DoubleConv(3 * width, width)
        self.outc = nn.Conv2d(width, 2, 1)

    def forward(self, x):
        x1 = self.inc(x)
        x2 = self.down(x1)
        x3 = self.deep(x2)
        y = self.conv1(torch.cat([x2, self.up1(x3)], 1))
        y = self.conv2(torch.cat([x1, self.up2(y)], 1))
        return self.outc(y)


class BiLstm(nn.Module):
    def __init__(self, size=8, hidden=6):
        super().__init__()
        self.embed = nn.Linear(size, size)
        self.lstm = nn.LSTM(size, hidden, num_layers=2, bidirectional=True, batch_first=True)
        self.head = nn.Linear(2 * hidden, 4)

    def forward(self, x):
        out, _ = self.lstm(torch.tanh(self.embed(x)))
        return self.head(out[:, -1])


class Gru(nn.Module):
    def __init__(self, size=8, hidden=6):
        super().__init__()
        self.gru = nn.GRU(size, hidden, batch_first=True)
        self.head = nn.Linear(hidden, 4)

    def forward(self, x):
        out, state = self.gru(x)
        return self.head(out), state


class UnrolledLstm(nn.Module):
    """Sixty steps of one cell: one operator of the ATen graph stands for hundreds."""

    def __init__(self, size=4, hidden=4):
        super().__init__()
        self.lstm = nn.LSTM(size, hidden)
        self.head = nn.Linear(hidden, 2)

    def forward(self, x):
        out, _ = self.lstm(x)
        return self.head(out[-1])


class CausalSelfAttention(nn.Module):
    """As in nanoGPT and transformers' GPT-2, the mask a buffer."""

    def __init__(self, dim, heads, length):
        super().__init__()
        self.heads = heads
        self.c_attn = nn.Linear(dim, 3 * dim)
        self.c_proj = nn.Linear(dim, dim)
        self.register_buffer("bias", torch.tril(torch.ones(length, length)).view(1, 1, length, length), persistent=False)

    def forward(self, x):
        batch, length, dim = x.shape
        q, k, v = (part.view(batch, length, self.heads, dim // self.heads).transpose(1, 2)
                   for part in self.c_attn(x).split(dim, dim=2))
        att = (q @ k.transpose(-2, -1)) * (q.shape[-1] ** -0.5)
        att = att.masked_fill(self.bias[:, :, :length, :length] == 0, float("-inf"))
        y = F.softmax(att, dim=-1) @ v
        return self.c_proj(y.transpose(1, 2).contiguous().view(batch, length, dim))


class GptMlp(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.c_fc = nn.Linear(dim, 4 * dim)
        self.act = nn.GELU(approximate="tanh")
        self.c_proj = nn.Linear(4 * dim, dim)

    def forward(self, x):
        return self.c_proj(self.act(self.c_fc(x)))


class GptBlock(nn.Module):
    def __init__(self, dim, heads, length):
        super().__init__()
        self.ln_1 = nn.LayerNorm(dim)
        self.attn = CausalSelfAttention(dim, heads, length)
        self.ln_2 = nn.LayerNorm(dim)
        self.mlp = GptMlp(dim)

    def forward(self, x):
        x = x + self.attn(self.ln_1(x))
        return x + self.mlp(self.ln_2(x))


class Gpt2(nn.Module):
    def __init__(self, vocabulary=32, dim=16, heads=2, length=8, layers=2):
        super().__init__()
        self.wte = nn.Embedding(vocabulary, dim)
        self.wpe = nn.Embedding(length, dim)
        self.h = nn.ModuleList([GptBlock(dim, heads, length) for _ in range(layers)])
        self.ln_f = nn.LayerNorm(dim)
        self.lm_head = nn.Linear(dim, vocabulary, bias=False)

    def forward(self, tokens):
        x = self.wte(tokens) + self.wpe(torch.arange(tokens.shape[1]))
        for block in self.h:
            x = block(x)
        return self.lm_head(self.ln_f(x))


class RmsNorm(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.weight = nn.Parameter(torch.rand(dim))

    def forward(self, x):
        return x * torch.rsqrt((x * x).mean(-1, keepdim=True) + 1e-6) * self.weight


class CachedAttention(nn.Module):
    """Writes keys and values at `position` into its own buffers; `x` holds one token or a prompt."""

    def __init__(self, dim, heads, length):
        super().__init__()
        self.heads = heads
        self.wq = nn.Linear(dim, dim, bias=False)
        self.wk = nn.Linear(dim, dim, bias=False)
        self.wv = nn.Linear(dim, dim, bias=False)
        self.wo = nn.Linear(dim, dim, bias=False)
        self.register_buffer("k_cache", torch.zeros(1, heads, length, dim // heads))
        self.register_buffer("v_cache", torch.zeros(1, heads, length, dim // heads))
        self.register_buffer("mask", torch.triu(torch.full((length, length), float("-inf")), 1))

    def heads_of(self, x):
        return x.view(x.shape[0], x.shape[1], self.heads, -1).transpose(1, 2)

    def forward(self, x, position):
        q, k, v = self.heads_of(self.wq(x)), self.heads_of(self.wk(x)), self.heads_of(self.wv(x))
        self.k_cache.index_copy_(2, position, k)
        self.v_cache.index_copy_(2, position, v)
        y = F.scaled_dot_product_attention(q, self.k_cache, self.v_cache, attn_mask=self.mask[position])
        return self.wo(y.transpose(1, 2).reshape(x.shape))


class LlamaLayer(nn.Module):
    def __init__(self, dim, heads, length):
        super().__init__()
        self.attention_norm = RmsNorm(dim)
        self.attention = CachedAttention(dim, heads, length)
        self.ffn_norm = RmsNorm(dim)
        self.w1 = nn.Linear(dim, 2 * dim, bias=False)
        self.w2 = nn.Linear(2 * dim, dim, bias=False)
        self.w3 = nn.Linear(dim, 2 * dim, bias=False)

    def forward(self, x, position):
        x = x + self.attention(self.attention_norm(x), position)
        y = self.ffn_norm(x)
        return x + self.w2(F.silu(self.w1(y)) * self.w3(y))


class Decoder(nn.Module):
    def __init__(self, vocabulary=24, dim=16, heads=2, length=16, layers=2):
        super().__init__()
        self.tok_embeddings = nn.Embedding(vocabulary, dim)
        self.layers = nn.ModuleList([LlamaLayer(dim, heads, length) for _ in range(layers)])
        self.norm = RmsNorm(dim)
        self.output = nn.Linear(dim, vocabulary, bias=False)

    def forward(self, tokens, position):
        x = self.tok_embeddings(tokens)
        for layer in self.layers:
            x = layer(x, position)
        return self.output(self.norm(x))


class PlainLayer(nn.Module):
    """A transformer layer that gets the past as an input and returns the keys and values of its tokens."""

    def __init__(self, dim):
        super().__init__()
        self.norm = nn.LayerNorm(dim)
        self.q_proj = nn.Linear(dim, dim)
        self.k_proj = nn.Linear(dim, dim)
        self.v_proj = nn.Linear(dim, dim)
        self.up_proj = nn.Linear(dim, 2 * dim)
        self.down_proj = nn.Linear(2 * dim, dim)

    def forward(self, x, past):
        y = self.norm(x)
        k = torch.cat([past, self.k_proj(y)], 1)
        v = torch.cat([past, self.v_proj(y)], 1)
        x = x + torch.softmax(self.q_proj(y) @ k.transpose(1, 2), -1) @ v
        return x + self.down_proj(F.gelu(self.up_proj(x))), k


class Prefill(nn.Module):
    """The `prefill` method of the language model: a whole prompt."""

    def __init__(self, dim=16, layers=2, vocabulary=24):
        super().__init__()
        self.embed_tokens = nn.Embedding(vocabulary, dim)
        self.layers = nn.ModuleList([PlainLayer(dim) for _ in range(layers)])
        self.lm_head = nn.Linear(dim, vocabulary)

    def forward(self, tokens, past):
        x = self.embed_tokens(tokens)
        for layer in self.layers:
            x, kept = layer(x, past)
        return self.lm_head(x[:, -1]), kept


class Decode(nn.Module):
    """The `decode` method: one token, the same weights, another order of operations at the end."""

    def __init__(self, model):
        super().__init__()
        self.model = model

    def forward(self, tokens, past):
        x = self.model.embed_tokens(tokens)
        for layer in self.model.layers:
            x, kept = layer(x, past)
        return torch.softmax(self.model.lm_head(x[:, -1]), -1), kept


class Feed(nn.Module):
    """Linear layers, for dynamic quantisation."""

    def __init__(self, size=16):
        super().__init__()
        self.up = nn.Linear(size, 2 * size)
        self.down = nn.Linear(2 * size, size)
        self.head = nn.Linear(size, 4)

    def forward(self, x):
        return self.head(x + self.down(F.gelu(self.up(x))))


class ViT(nn.Module):
    def __init__(self, dim=16, heads=2, layers=2):
        super().__init__()
        self.patch_embed = nn.Conv2d(3, dim, 8, 8)
        self.cls_token = nn.Parameter(torch.rand(1, 1, dim))
        self.pos_embed = nn.Parameter(torch.rand(1, 17, dim))
        self.blocks = nn.ModuleList([nn.TransformerEncoderLayer(dim, heads, 2 * dim, 0.0, "gelu", batch_first=True,
                                                               norm_first=True) for _ in range(layers)])
        self.norm = nn.LayerNorm(dim)
        self.head = nn.Linear(dim, 10)

    def forward(self, x):
        x = self.patch_embed(x).flatten(2).transpose(1, 2)
        x = torch.cat([self.cls_token.expand(x.shape[0], -1, -1), x], 1) + self.pos_embed
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x)[:, 0])


class WhisperLayer(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.heads = heads
        self.self_attn_layer_norm = nn.LayerNorm(dim)
        self.q_proj = nn.Linear(dim, dim)
        self.k_proj = nn.Linear(dim, dim, bias=False)
        self.v_proj = nn.Linear(dim, dim)
        self.out_proj = nn.Linear(dim, dim)
        self.fc1 = nn.Linear(dim, 4 * dim)
        self.fc2 = nn.Linear(4 * dim, dim)
        self.final_layer_norm = nn.LayerNorm(dim)

    def heads_of(self, x):
        return x.view(x.shape[0], x.shape[1], self.heads, -1).transpose(1, 2)

    def forward(self, x):
        y = self.self_attn_layer_norm(x)
        y = F.scaled_dot_product_attention(self.heads_of(self.q_proj(y)), self.heads_of(self.k_proj(y)),
                                           self.heads_of(self.v_proj(y)))
        x = x + self.out_proj(y.transpose(1, 2).reshape(x.shape))
        return x + self.fc2(F.gelu(self.fc1(self.final_layer_norm(x))))


class WhisperEncoder(nn.Module):
    """As transformers' WhisperEncoder: two 1-d convolutions, positions, layers."""

    def __init__(self, mels=8, dim=16, heads=2, length=10):
        super().__init__()
        self.conv1 = nn.Conv1d(mels, dim, 3, padding=1)
        self.conv2 = nn.Conv1d(dim, dim, 3, stride=2, padding=1)
        self.embed_positions = nn.Parameter(torch.rand(length, dim))
        self.layers = nn.ModuleList([WhisperLayer(dim, heads) for _ in range(2)])
        self.layer_norm = nn.LayerNorm(dim)

    def forward(self, x):
        x = F.gelu(self.conv2(F.gelu(self.conv1(x)))).permute(0, 2, 1) + self.embed_positions
        for layer in self.layers:
            x = layer(x)
        return self.layer_norm(x)


class Zoo(nn.Module):
    """Most operators that XNNPACK takes, one after another."""

    def __init__(self, width=8):
        super().__init__()
        self.conv = nn.Conv2d(3, width, 3, padding=1)
        self.prelu = nn.PReLU(width)
        self.elu = nn.ELU(0.7)
        self.leaky = nn.LeakyReLU(0.1)
        self.pad = nn.ConstantPad2d((1, 0, 1, 0), 0.5)
        self.avg = nn.AvgPool2d(2, 2)
        self.max = nn.MaxPool2d(2, 2)
        self.depthwise = nn.Conv2d(width, width, 3, padding=1, groups=width)
        self.grouped = nn.Conv2d(width, width, 3, padding=1, groups=2)
        self.deconv = nn.ConvTranspose2d(width, width, 3, 2, 1, 1)
        self.tanh = nn.Tanh()
        self.linear = nn.Linear(width, 6)

    def forward(self, x):
        x = self.leaky(self.elu(self.prelu(self.conv(x))))
        x = self.max(self.avg(self.pad(x)))
        x = F.hardtanh(self.grouped(self.depthwise(x)), -0.5, 2.0)
        x = torch.cat([x, torch.abs(x), torch.neg(x), torch.square(x)], 1)
        a, b, c, d = torch.split(x, x.shape[1] // 4, 1)
        x = torch.maximum(a, b) - torch.minimum(c, d) * torch.exp(-torch.abs(d))
        x = torch.floor(x) + torch.ceil(x) + torch.sqrt(torch.abs(x) + 1.0) / torch.rsqrt(torch.abs(x) + 1.0)
        x = self.tanh(self.deconv(x)) + torch.sigmoid(F.interpolate(x, scale_factor=2.0, mode="bilinear"))
        x = F.hardswish(x) + torch.log(torch.abs(x) + 1.0) + torch.sin(x) + torch.cos(x)
        x = F.gelu(x)[:, :, 1:, 1:].mean((2, 3), keepdim=True).permute(0, 2, 3, 1)
        return torch.softmax(torch.clamp(self.linear(x), -1.0, 1.0), -1)


class Concats(nn.Module):
    """Concatenations of two to five, and convolutions in several branches, as in Inception."""

    def __init__(self, width=4):
        super().__init__()
        self.branch1x1 = nn.Conv2d(3, width, 1)
        self.branch3x3 = nn.Conv2d(3, width, 3, padding=1)
        self.branch5x5 = nn.Conv2d(3, width, 5, padding=2)
        self.branch_pool = nn.Conv2d(3, width, 1)
        self.merge = nn.Conv2d(4 * width, width, 1)
        self.last = nn.Conv2d(5 * width, 3, 1)

    def forward(self, x):
        a, b, c = F.relu(self.branch1x1(x)), F.relu(self.branch3x3(x)), F.relu(self.branch5x5(x))
        d = self.branch_pool(F.avg_pool2d(x, 3, 1, 1))
        y = F.relu(self.merge(torch.cat([a, b, c, d], 1)))
        y = torch.cat([y, a, b, c, d], 1)
        y = torch.sigmoid(self.last(y))
        return torch.cat([y, x], 1), torch.cat([a, y, x], 1)


class Partly(nn.Module):
    """Three delegate calls, separated by operators that XNNPACK does not take."""

    def __init__(self, width=8):
        super().__init__()
        self.first = nn.Sequential(nn.Conv2d(3, width, 3, padding=1), nn.ReLU())
        self.second = nn.Sequential(nn.Conv2d(width, width, 3, padding=1), nn.ReLU())
        self.third = nn.Conv2d(width, 2, 1)

    def forward(self, x):
        x = torch.cumsum(self.first(x), 2)
        x = torch.erf(self.second(x))
        return torch.argmax(self.third(x), 1)


class Shared(nn.Module):
    """One module called three times: equal modules and weights, different handles."""

    def __init__(self, width=8):
        super().__init__()
        self.stem = nn.Conv2d(3, width, 3, padding=1)
        self.block = nn.Sequential(nn.Conv2d(width, width, 3, padding=1), nn.ReLU())

    def forward(self, x):
        x = self.stem(x)
        for _ in range(3):
            x = self.block(x)
        return x.mean((2, 3))


class Layouts(nn.Module):
    """Inputs that only later operators need in another layout, outputs that other operators read too, and a shared input."""

    def __init__(self, width=4):
        super().__init__()
        self.pool = nn.MaxPool2d(2)
        self.conv = nn.Conv2d(3, width, 3, padding=1)
        self.gate = nn.Hardsigmoid()
        self.left = nn.Conv2d(3, width, 1)
        self.right = nn.Conv2d(3, width, 3, padding=1)
        self.last = nn.Conv2d(width, width, 1)

    def forward(self, x, y, z, shared):
        first = self.conv(self.pool(x) * y + z)
        left = self.left(shared)
        return self.gate(first), left, self.last(left) + self.right(shared)


class Autoencoder(nn.Module):
    """Every operator is delegated, transposed convolutions and resizing among them."""

    def __init__(self, width=6):
        super().__init__()
        self.encoder = nn.Sequential(nn.Conv2d(3, width, 3, 2, 1), nn.ReLU(), nn.Conv2d(width, 2 * width, 3, 2, 1), nn.ReLU())
        self.decoder = nn.Sequential(nn.ConvTranspose2d(2 * width, width, 2, 2), nn.ReLU(),
                                     nn.ConvTranspose2d(width, 3, 2, 2), nn.Sigmoid())

    def forward(self, x):
        return self.decoder(self.encoder(x))


class MobileViT(nn.Module):
    """Convolutions, then attention over unfolded patches, then convolutions."""

    def __init__(self, width=8, dim=16):
        super().__init__()
        self.conv_kxk = nn.Sequential(nn.Conv2d(3, width, 3, 2, 1, bias=False), nn.BatchNorm2d(width), nn.SiLU())
        self.conv_1x1 = nn.Conv2d(width, dim, 1)
        self.norm = nn.LayerNorm(dim)
        self.qkv = nn.Linear(dim, 3 * dim)
        self.proj = nn.Linear(dim, dim)
        self.fusion = nn.Sequential(nn.Conv2d(dim, width, 1, bias=False), nn.BatchNorm2d(width), nn.SiLU())

    def forward(self, x):
        x = self.conv_1x1(self.conv_kxk(x))
        batch, channels, height, width = x.shape
        x = x.reshape(batch, channels, -1).transpose(1, 2)
        q, k, v = self.qkv(self.norm(x)).chunk(3, -1)
        x = x + self.proj(F.scaled_dot_product_attention(q, k, v))
        x = x.transpose(1, 2).reshape(batch, channels, height, width)
        return self.fusion(x)


class Fusions(nn.Module):
    """Operators that XNNPACK's runtime merges: pads, clamps, reshapes, transposes before products, squares."""

    def __init__(self, width=4):
        super().__init__()
        self.first = nn.Conv2d(3, width, 3)
        self.second = nn.Conv2d(width, width, 3, padding=1)

    def forward(self, x):
        x = F.relu6(F.relu(self.first(F.pad(x, (1, 1, 1, 1)))))
        x = F.hardtanh(F.relu(x + self.second(x)), 0.1, 0.9)
        y = x.reshape(1, 8, -1).reshape(2, 4, -1)
        y = torch.bmm(y, torch.permute(y * 2.0, (0, 2, 1)))
        y = torch.maximum(y * y, torch.tensor([0.5]))
        z = torch.relu(torch.relu(y) - 1.0).reshape(1, 4, 8)
        return torch.clamp(z.reshape(4, 8) + 1.0, 0.0, 6.0), torch.sigmoid(torch.tanh(x))


class ConvCond(nn.Module):
    """Delegated convolutions around a branch."""

    def __init__(self, width=4):
        super().__init__()
        self.first = nn.Conv2d(3, width, 3, padding=1)
        self.second = nn.Conv2d(width, 2, 3, padding=1)

    def forward(self, x):
        x = F.relu(self.first(x))
        x = torch.cond(x.sum() > 0, lambda x: torch.sin(x) * x, lambda x: torch.relu(torch.cos(x)), [x])
        return self.second(x)


class RowMap(nn.Module):
    """A loop over rows between two delegated layers."""

    def __init__(self, size=6):
        super().__init__()
        self.before = nn.Linear(size, size)
        self.after = nn.Linear(size, 3)

    def forward(self, rows, x):
        from torch._higher_order_ops.map import map as torch_map
        y = torch_map(lambda row, x: torch.cumsum(torch.tanh(row + x), 0), self.before(rows), x)
        return self.after(y)


class Mlp(nn.Module):
    def __init__(self, size=8, hidden=16):
        super().__init__()
        self.hidden = nn.Linear(size, hidden)
        self.norm = nn.LayerNorm(hidden)
        self.head = nn.Linear(hidden, 4)

    def forward(self, x):
        return self.head(torch.relu(self.norm(self.hidden(x))))


class Branch(nn.Module):
    def forward(self, x):
        x = torch.cond(x.sum() > 0, lambda x: torch.sin(x) * x, lambda x: torch.relu(torch.cos(x)), [x])
        return torch.cumsum(x, 0)


class Loop(nn.Module):
    def forward(self, rows, x):
        from torch._higher_order_ops.map import map as torch_map
        y = torch_map(lambda row, x: torch.tanh(row + x), rows, x)
        return torch.cumsum(torch.sigmoid(y), 0)


class DynamicRows(nn.Module):
    def __init__(self, size=6):
        super().__init__()
        self.linear = nn.Linear(size, 4)

    def forward(self, x):
        left, right = torch.split(self.linear(x), 2, dim=1)
        return torch.cat([left, right]).reshape(-1), x.shape[0] * 2


class Counter(nn.Module):
    """A buffer that each run adds to; its first value is in the program only if `to_executorch` is asked for it."""

    def __init__(self, size=6):
        super().__init__()
        self.register_buffer("total", torch.arange(size, dtype=torch.float32))
        self.linear = nn.Linear(size, size)

    def forward(self, x):
        self.total.add_(self.linear(x))
        return torch.tanh(self.total) * 2


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.project = nn.Linear(6, 5)

    def forward(self, x):
        return torch.tanh(self.project(x))


class Classifier(nn.Module):
    def __init__(self, encoder):
        super().__init__()
        self.encoder = encoder
        self.head = nn.Linear(5, 3)

    def forward(self, x):
        return torch.softmax(self.head(self.encoder(x)), -1)


class Random(nn.Module):
    """A random net: operators that XNNPACK takes, and occasionally one that it does not take, in any order and with any
    branches."""

    def __init__(self, seed, width=4, steps=14):
        super().__init__()
        draw = random.Random(seed)
        self.convs = nn.ModuleList([nn.Conv2d(width, width, 3, padding=1), nn.Conv2d(width, width, 1),
                                    nn.Conv2d(width, width, 3, padding=1, groups=width), nn.Conv2d(width, width, 3)])
        self.merge = nn.Conv2d(2 * width, width, 1)
        self.plan = [(draw.choice(list(self.steps())), draw.random(), draw.random()) for _ in range(steps)]

    def steps(self):
        """Returns a random operator of one tensor, with another of the same shape beside it."""
        same, one, depth, valid = self.convs
        return {
            "same": lambda x, y: same(x), "one": lambda x, y: one(x), "depth": lambda x, y: depth(x),
            "valid": lambda x, y: valid(F.pad(x, (1, 1, 1, 1))), "conv_relu": lambda x, y: F.relu(same(x)),
            "cat": lambda x, y: self.merge(torch.cat([x, y], 1)), "relu": lambda x, y: F.relu(x), "relu6": lambda x, y: F.relu6(x),
            "clamp": lambda x, y: torch.clamp(x, -0.5, 0.5), "add": lambda x, y: x + y, "add_relu": lambda x, y: F.relu(x + y),
            "mul": lambda x, y: x * y, "sub": lambda x, y: F.relu6(x - y), "square": lambda x, y: x * x,
            "maximum": lambda x, y: torch.maximum(x, y), "tanh": lambda x, y: torch.tanh(x), "gelu": lambda x, y: F.gelu(x),
            "sigmoid": lambda x, y: torch.sigmoid(x), "swish": lambda x, y: F.hardswish(x), "abs": lambda x, y: torch.abs(x),
            "pool": lambda x, y: F.max_pool2d(x, 3, 1, 1), "mean": lambda x, y: F.avg_pool2d(x, 3, 1, 1),
            "reshape": lambda x, y: x.reshape(1, -1, 4).reshape(x.shape), "turn": lambda x, y: x.permute(0, 1, 3, 2),
            "product": lambda x, y: torch.matmul(x, y.transpose(2, 3)), "softmax": lambda x, y: torch.softmax(x, -1),
            "outside": lambda x, y: torch.cumsum(x, 2),
        }

    def forward(self, x):
        known, steps = [x], self.steps()
        for name, which, other in self.plan:
            recent = known[-3:]
            known.append(steps[name](recent[-1 - int(which ** 2 * len(recent))], recent[int(other * len(recent))]))
        return known[-1], known[-2]


# ---------------------------------------------------------------- how each is exported


@dataclasses.dataclass
class Model:
    """`make` returns {method: (module, inputs)}. `quantize` is None, "static" or "dynamic"."""

    make: typing.Callable
    xnnpack: bool = True
    quantize: str = None
    half: bool = False
    dynamic_shapes: typing.Any = None
    planned_io: bool = True
    initial_state: bool = False  # mutable buffers whose first value is in the file
    external_weights: bool = False
    calls: list = None  # the methods of one run, in order; default: each method once
    per_op: bool = False  # one partition for each operator


def one(module, *inputs):
    return {"forward": (module, inputs)}


def image(size=32):
    return torch.randn(1, 3, size, size)


def language_model():
    prefill = Prefill()
    return {"prefill": (prefill, (torch.randint(0, 24, (1, 8)), torch.randn(1, 4, 16))),
            "decode": (Decode(prefill), (torch.randint(0, 24, (1, 1)), torch.randn(1, 12, 16)))}


def twin_methods():
    """Two methods with the same instructions: only the payloads of their delegates differ."""
    module = Feed()
    return {"large": (module, (torch.randn(8, 16),)), "small": (module, (torch.randn(1, 16),))}


def encoder_methods():
    encoder = Encoder()
    return {"encode": (encoder, (torch.randn(2, 6),)), "forward": (Classifier(encoder), (torch.randn(2, 6),))}


ROWS = {"x": {0: torch.export.Dim("rows", max=16)}}

MODELS = {
    "resnet": Model(lambda: one(ResNet(), image(64))),
    "resnet_functional": Model(lambda: one(Residual(), image(16))),
    "resnet_preact": Model(lambda: one(PreactResNet(), image(32))),
    "resnet_int8": Model(lambda: one(ResNet(), image(64)), quantize="static"),
    "resnet_half": Model(lambda: one(ResNet(), image(64)), half=True),
    "mobilenet_v2": Model(lambda: one(MobileNetV2(), image())),
    "mobilenet_v2_int8": Model(lambda: one(MobileNetV2(), image()), quantize="static"),
    "mobilenet_v3": Model(lambda: one(MobileNetV3(), image())),
    "mobilenet_v3_int8": Model(lambda: one(MobileNetV3(), image()), quantize="static"),
    "squeezenet": Model(lambda: one(SqueezeNet(), image())),
    "convnext": Model(lambda: one(ConvNeXt(), image())),
    "convnext_half": Model(lambda: one(ConvNeXt(), image()), half=True),
    "ssd_head": Model(lambda: one(SsdHead(), image())),
    "unet": Model(lambda: one(UNet(), image(16))),
    "bilstm": Model(lambda: one(BiLstm(), torch.randn(1, 5, 8))),
    "gru": Model(lambda: one(Gru(), torch.randn(1, 6, 8))),
    "lstm_unrolled": Model(lambda: one(UnrolledLstm(), torch.randn(60, 1, 4))),
    "gpt2": Model(lambda: one(Gpt2(), torch.randint(0, 32, (1, 8)))),
    "kv_decoder": Model(lambda: one(Decoder().requires_grad_(False), torch.randint(0, 24, (1, 1)), torch.tensor([3]))),
    "language_model": Model(language_model, calls=["prefill", "decode", "decode", "decode"]),
    "language_model_int8": Model(language_model, quantize="dynamic", calls=["prefill", "decode", "decode"]),
    "twin_methods": Model(twin_methods, calls=["large", "small", "small"]),
    "linear_dynamic_int8": Model(lambda: one(Feed(), torch.randn(2, 16)), quantize="dynamic"),
    "vit": Model(lambda: one(ViT(), image())),
    "vit_dynamic_int8": Model(lambda: one(ViT(), image()), quantize="dynamic"),
    "whisper_encoder": Model(lambda: one(WhisperEncoder(), torch.randn(1, 8, 20))),
    "mobilevit": Model(lambda: one(MobileViT(), image(16))),
    "zoo": Model(lambda: one(Zoo(), image())),
    "concats": Model(lambda: one(Concats(), image(8))),
    "concats_int8": Model(lambda: one(Concats(), image(8)), quantize="static"),
    "partly": Model(lambda: one(Partly(), image(16))),
    "layouts": Model(lambda: one(Layouts(), image(16), image(8), image(8), image(8))),
    "layouts_int8": Model(lambda: one(Layouts(), image(16), image(8), image(8), image(8)), quantize="static"),
    "shared_block": Model(lambda: one(Shared(), image(16))),
    "autoencoder": Model(lambda: one(Autoencoder(), image(16))),
    "fusions": Model(lambda: one(Fusions(), image(8))),
    "fusions_int8": Model(lambda: one(Fusions(), image(8)), quantize="static"),
    "conv_cond": Model(lambda: one(ConvCond(), image(8))),
    "row_map": Model(lambda: one(RowMap(), torch.randn(5, 6), torch.randn(6))),
    "dynamic_batch": Model(lambda: one(Mlp(), torch.randn(3, 8)), dynamic_shapes=ROWS),
    "external_weights": Model(lambda: one(Residual(), image(16)), external_weights=True),
    "partition_per_op": Model(lambda: one(ConvNeXt(), image()), per_op=True),
    "portable": Model(lambda: one(Mlp(), torch.randn(2, 8)), xnnpack=False),
    "portable_no_planned_io": Model(lambda: one(Mlp(), torch.randn(2, 8)), xnnpack=False, planned_io=False),
    "portable_lstm": Model(lambda: one(Gru(), torch.randn(1, 4, 8)), xnnpack=False),
    "portable_cond": Model(lambda: one(Branch(), torch.randn(4, 3)), xnnpack=False),
    "portable_map": Model(lambda: one(Loop(), torch.randn(5, 3), torch.randn(3)), xnnpack=False),
    "portable_dynamic": Model(lambda: one(DynamicRows(), torch.randn(3, 6)), xnnpack=False, dynamic_shapes=ROWS),
    "portable_state": Model(lambda: one(Counter().requires_grad_(False), torch.randn(6)), xnnpack=False),
    "portable_initial_state": Model(lambda: one(Counter().requires_grad_(False), torch.randn(6)), xnnpack=False,
                                    initial_state=True),
    "portable_external_weights": Model(lambda: one(Mlp(), torch.randn(2, 8)), xnnpack=False, external_weights=True),
    "portable_methods": Model(encoder_methods, xnnpack=False),
    "portable_gpt2": Model(lambda: one(Gpt2(), torch.randint(0, 32, (1, 8))), xnnpack=False),
}

# Models for short runs: every precision, every kind of difference between nodes and events, every kind of program.
QUICK = ("resnet_half", "mobilenet_v2_int8", "mobilenet_v3_int8", "unet", "ssd_head", "gru", "gpt2", "kv_decoder",
         "language_model", "twin_methods", "linear_dynamic_int8", "zoo", "concats_int8", "fusions", "fusions_int8", "partly",
         "shared_block", "layouts", "layouts_int8", "conv_cond", "row_map", "external_weights",
         *(name for name in MODELS if name.startswith("portable") and name != "portable_gpt2"))


def model_of(name):
    """Returns one of MODELS, or a random one: random_SEED or random_int8_SEED."""
    if not name.startswith("random_"):
        return MODELS[name]
    *kind, seed = name.removeprefix("random_").split("_")
    return Model(lambda: one(Random(int(seed)), torch.randn(1, 4, 8, 8)), quantize="static" if kind else None)
